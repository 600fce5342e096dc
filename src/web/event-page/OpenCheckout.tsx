import { useEffect, useState } from 'react';
import { latestCheckout, openCheckout } from '#web/buyer-memory.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { ButtonLink } from '#web/ui/Button.tsx';
import styles from './cart.module.css';

/**
 * For a buyer who came back from the checkout without paying. Their tickets are still held, so the list below
 * may call the last ones sold out: the way back to them is the checkout that holds them.
 */
export function OpenCheckout({ eventId }: { eventId: string }) {
  const [url, setUrl] = useState<string>();

  useEffect(() => {
    const sessionId = latestCheckout(eventId);
    const opened = sessionId && openCheckout(sessionId);
    if (!sessionId || !opened) return;
    import('./event-calls.ts')
      .then(({ readCheckout }) => readCheckout(sessionId))
      .then(
        ({ status }) => setUrl(status === 'unpaid' ? opened.url : undefined),
        () => {},
      );
  }, [eventId]);

  if (!url) return null;
  return (
    <Banner title="Your checkout is still open">
      <div className={styles.openCheckout}>
        <p>You have not been charged. Its tickets are held for you until it expires.</p>
        <ButtonLink kind="ghost" href={url}>
          Continue checkout
        </ButtonLink>
      </div>
    </Banner>
  );
}

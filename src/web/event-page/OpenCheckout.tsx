import { useEffect, useState } from 'react';
import { CHECKOUT_LOOKUP_INTERVAL_SECONDS } from '#domain/limits.ts';
import { latestCheckout, openCheckout } from '#web/buyer-memory.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { ButtonLink } from '#web/ui/Button.tsx';
import styles from './cart.module.css';
import { loadEventCalls } from './load-event-calls.ts';

/** A checkout that is still not known by then is being paid. */
const ASKED_AT_MOST = 6;

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
    let isGone = false;

    async function follow(sessionId: string, url: string) {
      const { readCheckout } = await loadEventCalls();
      for (let asked = 0; asked < ASKED_AT_MOST && !isGone; asked += 1) {
        const { status } = await readCheckout(sessionId);
        if (isGone) return;
        if (status !== 'processing') return setUrl(status === 'unpaid' ? url : undefined);
        // Somebody asked a moment ago, perhaps this page before it was reloaded.
        await new Promise((resume) => setTimeout(resume, CHECKOUT_LOOKUP_INTERVAL_SECONDS * 1000));
      }
    }
    follow(sessionId, opened.url).catch(() => {});
    return () => {
      isGone = true;
    };
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

import { useEffect, useState } from 'react';
import { CHECKOUT_LOOKUP_INTERVAL_SECONDS } from '#domain/limits.ts';
import { holdMessage } from '#messages/checkout.ts';
import { latestCheckout, openCheckout } from '#web/buyer-storage.ts';
import { loadCode } from '#web/load-code.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { formatTime } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import styles from '../cart/cart.module.css';

/** A checkout that is still processing after these polls is being paid. */
const POLLS_MAX = 6;

/**
 * For a buyer who came back from the checkout without paying. The checkout still reserves their tickets, so the list below may
 * say "Sold out"; this banner leads back to them.
 */
export function OpenCheckout({ eventId, timezone }: { eventId: string; timezone: string }) {
  const [checkout, setCheckout] = useState<{ url: string; reservedUntil: string | undefined }>();

  useEffect(() => {
    const sessionId = latestCheckout(eventId);
    const opened = sessionId && openCheckout(sessionId);
    if (!sessionId || !opened) return;
    let isCancelled = false;

    async function poll(sessionId: string, url: string) {
      const { readCheckout } = await loadCode(() => import('../event-calls.ts'));
      for (let polls = 0; polls < POLLS_MAX && !isCancelled; polls += 1) {
        const { status, reservedUntil } = await readCheckout(sessionId);
        if (isCancelled) return;
        if (status !== 'processing') return setCheckout(status === 'unpaid' ? { url, reservedUntil } : undefined);
        // The server throttles this call; an earlier one, perhaps before a reload, has just used it.
        await new Promise((resume) => setTimeout(resume, CHECKOUT_LOOKUP_INTERVAL_SECONDS * 1000));
      }
    }
    poll(sessionId, opened.url).catch(() => {});
    return () => {
      isCancelled = true;
    };
  }, [eventId]);

  if (!checkout) return null;
  return (
    <Banner title="Your checkout is still open">
      <div className={styles.openCheckout}>
        <p>{holdMessage(checkout.reservedUntil && formatTime(checkout.reservedUntil, timezone))}</p>
        <ButtonLink kind="ghost" href={checkout.url}>
          Continue checkout
        </ButtonLink>
      </div>
    </Banner>
  );
}

import { useState } from 'react';
import { giveHeldBack, heldAdvice, heldInWords, heldTitle, pageOpens } from '#contract/checkout-words.ts';
import { heldNotLoaded } from '#contract/page-words.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { bringIntoView } from '#web/ui/bring-into-view.ts';
import text from '#web/ui/text.module.css';
import styles from '../cart/cart.module.css';
import { passFocusTo } from '../pass-focus-to.ts';
import type { QueueStatus } from './use-reservation.ts';

const focusTitle = passFocusTo('h1');

/** For a buyer with reserved tickets who waits in the checkout queue for the payment page. */
export function ReservedTickets({
  reservation,
  onRelease,
}: {
  reservation: QueueStatus | null;
  onRelease: () => Promise<void>;
}) {
  const [isReleasing, setIsReleasing] = useState(false);

  async function release() {
    setIsReleasing(true);
    await onRelease();
    setIsReleasing(false);
  }

  return (
    <>
      {reservation && (
        <div ref={bringIntoView}>
          <Banner title={heldTitle} kind="success">
            <div className={styles.openCheckout}>
              <p className={text.num}>{queueMessage(reservation)}</p>
              <p>{heldAdvice}</p>
              <Button kind="ghost" ref={focusTitle} busy={isReleasing} onClick={() => void release()}>
                {giveHeldBack}
              </Button>
            </div>
          </Banner>
        </div>
      )}
      {/* Mounted while empty. Leaves out the position, so that screen readers announce it once a minute at most. */}
      <p className={text.srOnly} role="status">
        {reservation && `${heldTitle}. ${openingMessage(reservation)}`}
      </p>
    </>
  );
}

function queueMessage(status: QueueStatus): string {
  return status.before === null ? openingMessage(status) : heldInWords(status.before, status.aboutSeconds);
}

function openingMessage({ before, aboutSeconds, isNotLoaded }: QueueStatus): string {
  return isNotLoaded ? heldNotLoaded : pageOpens(before === null ? null : aboutSeconds);
}

import { useState } from 'react';
import { pageOpens, queueAdvice, queueStatusMessage, queueTitle, releaseReservation } from '#messages/checkout.ts';
import { queuedCheckoutNotLoaded } from '#messages/pages.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import text from '#web/ui/styles/text.module.css';
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
          <Banner title={queueTitle} kind="success">
            <div className={styles.openCheckout}>
              <p className={text.num}>{queueMessage(reservation)}</p>
              <p>{queueAdvice}</p>
              <Button kind="ghost" ref={focusTitle} busy={isReleasing} onClick={() => void release()}>
                {releaseReservation}
              </Button>
            </div>
          </Banner>
        </div>
      )}
      {/* Mounted while empty. Leaves out the position, so that screen readers announce it once a minute at most. */}
      <p className={text.srOnly} role="status">
        {reservation && `${queueTitle}. ${openingMessage(reservation)}`}
      </p>
    </>
  );
}

function queueMessage(status: QueueStatus): string {
  return status.before === null ? openingMessage(status) : queueStatusMessage(status.before, status.aboutSeconds);
}

function openingMessage({ before, aboutSeconds, isNotLoaded }: QueueStatus): string {
  return isNotLoaded ? queuedCheckoutNotLoaded : pageOpens(before === null ? null : aboutSeconds);
}

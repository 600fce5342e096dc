import { useId, useState } from 'react';
import type { OpenCheckout } from '#contract/app/checkout.ts';
import {
  continueCheckout,
  openCheckoutMessage,
  openCheckoutsTitle,
  releaseReservation,
  reservationReleased,
} from '#messages/checkout.ts';
import { outage, queuedCheckoutNotLoaded } from '#messages/pages.ts';
import { messageFrom } from '#web/call-error.ts';
import { CodeNotLoadedError, loadCode } from '#web/load-code.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { formatTime } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from '../cart/cart.module.css';
import { passFocusTo } from '../pass-focus-to.ts';

const focusTitle = passFocusTo('h1');

/** For a buyer with unpaid tickets. They are still reserved, so this leads back to them. */
export function OpenCheckouts({
  checkouts,
  eventId,
  onReleased,
}: {
  checkouts: readonly OpenCheckout[];
  eventId: string;
  onReleased: () => void;
}) {
  if (checkouts.length === 0) return null;
  return (
    <Banner title={openCheckoutsTitle(checkouts.length)}>
      <ul className={styles.openCheckouts}>
        {checkouts.map((checkout) => (
          <li key={checkout.handle}>
            <Reservation checkout={checkout} isOther={checkout.eventId !== eventId} onReleased={onReleased} />
          </li>
        ))}
      </ul>
    </Banner>
  );
}

interface ReservationProps {
  checkout: OpenCheckout;
  /** Of another event. */
  isOther: boolean;
  onReleased: () => void;
}

function Reservation({ checkout, isOther, onReleased }: ReservationProps) {
  const id = useId();
  const [isReleasing, setIsReleasing] = useState(false);

  async function release() {
    setIsReleasing(true);
    try {
      const { releaseOpenCheckout } = await loadCode(() => import('../event-calls.ts'));
      await releaseOpenCheckout(checkout.handle);
      toast.success(reservationReleased);
    } catch (error) {
      toast.error(error instanceof CodeNotLoadedError ? queuedCheckoutNotLoaded : messageFrom(error, outage));
    }
    setIsReleasing(false);
    onReleased();
  }

  return (
    <div className={styles.openCheckout}>
      <p id={id}>
        {openCheckoutMessage({
          title: isOther ? checkout.title : null,
          tickets: checkout.tickets.reduce((sum, { quantity }) => sum + quantity, 0),
          until: formatTime(checkout.reservedUntil, checkout.timezone),
        })}
      </p>
      <div className={styles.checkoutActions}>
        <ButtonLink kind="ghost" href={checkout.url} aria-describedby={id}>
          {continueCheckout}
        </ButtonLink>
        <Button kind="ghost" ref={focusTitle} busy={isReleasing} aria-describedby={id} onClick={() => void release()}>
          {releaseReservation}
        </Button>
      </div>
    </div>
  );
}

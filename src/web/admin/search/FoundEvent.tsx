import { type FoundEvent as Found, holdPayout, releasePayout, resumeSales, stopSales } from '#contract/app/brakes.ts';
import { payoutsHeld as heldText } from '#messages/operations/brakes.ts';
import { salesPaused } from '#messages/sales/event-page.ts';
import { call } from '#web/api.ts';
import { formatShort } from '#web/ui/data/format.ts';
import { BrakeButton } from './BrakeButton.tsx';
import { BrakeOn } from './BrakeOn.tsx';
import styles from './Search.module.css';

/** An event, and the brakes on it. */
export function FoundEvent({ event, onChanged }: { event: Found; onChanged: () => Promise<void> }) {
  const { eventId, title, organization, startsAt, timezone, salesStopped, payoutsHeld } = event;
  return (
    <li className={styles.result}>
      <h4>
        <a href={`/payment/${eventId}`}>{title}</a>
      </h4>
      <p className={styles.about}>
        {organization && `${organization}, `}
        {formatShort(startsAt, timezone)}
      </p>
      {salesStopped && <BrakeOn what={salesPaused} brake={salesStopped} />}
      {payoutsHeld && <BrakeOn what={heldText} brake={payoutsHeld} />}
      <div className={styles.actions}>
        <BrakeButton
          action={salesStopped ? 'resume-sales' : 'stop-sales'}
          about={title}
          send={(note) => call(salesStopped ? resumeSales : stopSales, { eventId, note })}
          onDone={onChanged}
        />
        <BrakeButton
          action={payoutsHeld ? 'release-payout' : 'hold-payout'}
          about={title}
          send={(note) => call(payoutsHeld ? releasePayout : holdPayout, { eventId, note })}
          onDone={onChanged}
        />
      </div>
    </li>
  );
}

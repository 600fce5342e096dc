import { type CheckInDashboard } from '#contract/app/check-in-devices.ts';
import { handedOutCount } from '#messages/check-in.ts';
import { ProgressBar } from '#web/ui/chart/ProgressBar.tsx';
import styles from './door.module.css';

export function TicketTypesCard({ counts }: { counts: CheckInDashboard['counts'] }) {
  return (
    <section className={styles.card} aria-labelledby="ticket-types">
      <h2 id="ticket-types">By ticket type</h2>
      <ul className={styles.types}>
        {counts.map(({ ticketName, isAddOn, sold, admitted }) => (
          <li key={ticketName}>
            <span className={styles.typeName}>{isAddOn ? handedOutCount(ticketName) : ticketName}</span>
            <span className={styles.typeCount}>
              <b>{admitted.toLocaleString('en-US')}</b> of {sold.toLocaleString('en-US')}
            </span>
            <ProgressBar value={admitted} max={sold} className={styles.typeBar} />
          </li>
        ))}
      </ul>
    </section>
  );
}

import { scansWaiting } from '#messages/check-in.ts';
import { clockTime } from '#web/ui/data/format.ts';
import type { CheckIn } from './check-in/use-check-in.ts';
import styles from './scanner.module.css';

interface ScannerHeaderProps {
  title: string | undefined;
  checkIn: CheckIn;
  timezone: string | undefined;
}

/** The event, the totals and the connection state. */
export function ScannerHeader({ title, checkIn, timezone }: ScannerHeaderProps) {
  const { isOnline, listAsOf, pending } = checkIn.connection;
  const admitting = checkIn.counts.filter(({ isAddOn }) => !isAddOn);
  const admitted = admitting.reduce((sum, count) => sum + count.admitted, 0);
  const sold = admitting.reduce((sum, count) => sum + count.sold, 0);
  return (
    <header className={styles.head}>
      <h1 tabIndex={-1}>{title ?? 'Check guests in'}</h1>
      {sold > 0 && (
        <p className={styles.total}>
          <strong>{admitted}</strong> of {sold}
        </p>
      )}
      <p className={styles.status} data-online={isOnline}>
        <span className={styles.dot} aria-hidden="true" />
        <span>
          {checkIn.device && `${checkIn.device.name}, `}
          {/* Polite, not a status: check-in results go first. */}
          <span aria-live="polite">{isOnline ? 'online' : 'offline'}</span>
          {listAsOf && `, list from ${clockTime(listAsOf, timezone)}`}
          {!listAsOf && !isOnline && ', no ticket list'}
          {pending > 0 && ' '}
          {pending > 0 && <span className={styles.unsynced}>{scansWaiting(pending)}</span>}
        </span>
      </p>
    </header>
  );
}

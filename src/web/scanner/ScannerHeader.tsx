import { scansWaiting } from '#contract/door-words.ts';
import { clockTime } from '#web/ui/format.ts';
import type { Door } from './check-in/use-check-in.ts';
import styles from './scanner.module.css';

interface DoorStatusProps {
  title: string | undefined;
  door: Door;
  timezone: string | undefined;
}

/** Whose door this is, and whether it can ask the server. */
export function DoorStatus({ title, door, timezone }: DoorStatusProps) {
  const { isOnline, listFrom, pending } = door.connection;
  const admitted = door.counts.reduce((sum, count) => sum + count.admitted, 0);
  const sold = door.counts.reduce((sum, count) => sum + count.sold, 0);
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
          {door.device && `${door.device.name}, `}
          {/* Not a status: that is the answer's. This is told when it changes, and may wait. */}
          <span aria-live="polite">{isOnline ? 'online' : 'offline'}</span>
          {listFrom && `, list from ${clockTime(listFrom, timezone)}`}
          {!listFrom && !isOnline && ', without a list'}
          {pending > 0 && ' '}
          {pending > 0 && <span className={styles.waiting}>{scansWaiting(pending)}</span>}
        </span>
      </p>
    </header>
  );
}

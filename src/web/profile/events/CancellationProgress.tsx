import type { OrganizerEvent } from '#contract/app/events.ts';
import { cancellationMessages } from '#messages/records/cancellations.ts';
import styles from './CancellationProgress.module.css';

/** Refund progress of a cancelled event, including failures. */
export function CancellationProgress(progress: NonNullable<OrganizerEvent['cancellation']>) {
  const { refunds, refunded } = progress;
  return (
    <div className={styles.progress}>
      <p role="status">{cancellationMessages(progress)}</p>
      {refunds > 0 && (
        <progress
          aria-label="Refunds done"
          max={refunds}
          value={refunded}
          data-done={refunded >= refunds || undefined}
        />
      )}
    </div>
  );
}

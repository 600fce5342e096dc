import type { OrganizerEvent } from '#contract/events.ts';
import styles from './CancellationProgress.module.css';
import { counted } from './event-figures.ts';

/** How far the refunds of a cancelled event are. */
export function CancellationProgress({ refunds, refunded }: NonNullable<OrganizerEvent['cancellation']>) {
  const isDone = refunded >= refunds;
  return (
    <div className={styles.progress}>
      <p role="status">{wordsFor(refunds, refunded)}</p>
      {refunds > 0 && (
        <progress aria-label="Refunds done" max={refunds} value={refunded} data-done={isDone || undefined} />
      )}
    </div>
  );
}

function wordsFor(refunds: number, refunded: number): string {
  if (refunds === 0) return 'Cancelled. No tickets had to be refunded.';
  if (refunded >= refunds) return `Cancelled. ${counted(refunds, 'ticket')} refunded.`;
  return `Cancelled. Refunding tickets: ${refunded.toLocaleString('en-US')} of ${refunds.toLocaleString('en-US')} done.`;
}

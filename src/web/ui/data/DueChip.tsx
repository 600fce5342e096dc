import { deadlineOf } from '#domain/dispute.ts';
import { dueText } from '#messages/operations/disputes.ts';
import { Chip } from './Chip.tsx';
import styles from './DueChip.module.css';
import { formatShort } from './format.ts';

/** When the evidence for a dispute is due, and how long that is. */
export function DueChip({ dueAt, timeZone, now = new Date() }: { dueAt: string; timeZone: string; now?: Date }) {
  const deadline = deadlineOf(new Date(dueAt), now);
  return (
    <Chip tone={deadline.urgency === 'later' ? 'note' : 'bad'}>
      <time dateTime={dueAt} className={styles.due}>
        {dueText(deadline, formatShort(dueAt, timeZone))}
      </time>
    </Chip>
  );
}

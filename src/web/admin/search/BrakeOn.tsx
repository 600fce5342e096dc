import type { Brake } from '#contract/app/events.ts';
import { searchTexts as text } from '#messages/operations/brakes.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import styles from './Search.module.css';

/** What is stopped, since when, and why. */
export function BrakeOn({ what, brake: { since, reason } }: { what: string; brake: Brake }) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <div className={styles.brake}>
      <Chip tone="bad">{what}</Chip>
      <p>
        {text.since(formatShort(since, timeZone))} {reason}
      </p>
    </div>
  );
}

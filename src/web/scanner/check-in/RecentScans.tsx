import { memo } from 'react';
import { takenBack } from '#contract/door-words.ts';
import { clockTime } from '#web/ui/format.ts';
import { ResultMark } from '#web/ui/ResultMark.tsx';
import { lookOf, resultLooks } from '#web/ui/result-looks.ts';
import styles from '../scanner.module.css';
import type { Outcome } from './check-in-result.ts';
import { codeTail } from './ScanResult.tsx';
import { TakeBackButton } from './UndoCheckInButton.tsx';

interface RecentScansProps {
  outcomes: readonly Outcome[];
  timezone: string | undefined;
  onTakeBack: (outcome: Outcome) => Promise<void>;
}

interface RecentScanProps extends Pick<RecentScansProps, 'timezone' | 'onTakeBack'> {
  outcome: Outcome;
}

/** Drawn anew only for another scan: a phone has better things to do while somebody waits for an answer. */
export const RecentScans = memo(function RecentScans({ outcomes, timezone, onTakeBack }: RecentScansProps) {
  if (outcomes.length === 0) return null;
  const letIn = outcomes.filter((outcome) => resultLooks[lookOf(outcome)].verdict === 'go').length;

  return (
    <section className={styles.recent} aria-labelledby="recent-scans">
      <h2 id="recent-scans">Recent</h2>
      <p>
        {letIn} of the last {outcomes.length} let in
      </p>
      <ul>
        {outcomes.map((outcome) => (
          <RecentScan key={outcome.id} outcome={outcome} timezone={timezone} onTakeBack={onTakeBack} />
        ))}
      </ul>
    </section>
  );
});

const RecentScan = memo(function RecentScan({ outcome, timezone, onTakeBack }: RecentScanProps) {
  return (
    <li>
      <ResultMark look={lookOf(outcome)} className={styles.recentMark} />
      <p>
        <span className={styles.code}>{codeTail(outcome.code)}</span> {wordsOf(outcome)}
      </p>
      <time dateTime={outcome.at.toISOString()}>{clockTime(outcome.at, timezone)}</time>
      <TakeBackButton outcome={outcome} onTakeBack={onTakeBack} of={codeTail(outcome.code)} />
    </li>
  );
});

/** The verdict where there is one, else the whole sentence with the ticket's type. */
function wordsOf(outcome: Outcome): string {
  const look = lookOf(outcome);
  if (look === 'taken-back') return takenBack;
  return resultLooks[look].headline ?? outcome.msg;
}

import { memo } from 'react';
import { undone } from '#contract/door-words.ts';
import { ResultMark } from '#web/ui/check-in/ResultMark.tsx';
import { resultStyles, styleNameOf } from '#web/ui/check-in/result-styles.ts';
import { clockTime } from '#web/ui/data/format.ts';
import type { Outcome } from './outcome.ts';
import { codeTail } from './ScanResult.tsx';
import styles from './scanner.module.css';
import { TakeBackButton } from './TakeBackButton.tsx';

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
  const letIn = outcomes.filter((outcome) => resultStyles[styleNameOf(outcome)].verdict === 'go').length;

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
      <ResultMark look={styleNameOf(outcome)} className={styles.recentMark} />
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
  const look = styleNameOf(outcome);
  if (look === 'taken-back') return undone;
  return resultStyles[look].headline ?? outcome.msg;
}

import { memo } from 'react';
import { undone } from '#messages/check-in.ts';
import { ResultMark } from '#web/ui/check-in/ResultMark.tsx';
import { resultStyles, styleNameOf } from '#web/ui/check-in/result-styles.ts';
import { clockTime } from '#web/ui/data/format.ts';
import styles from '../scanner.module.css';
import type { CheckInResult } from './check-in-result.ts';
import { codeTail } from './ScanResult.tsx';
import { UndoCheckInButton } from './UndoCheckInButton.tsx';

interface RecentScansProps {
  results: readonly CheckInResult[];
  timezone: string | undefined;
  onUndo: (result: CheckInResult) => Promise<void>;
}

interface RecentScanProps extends Pick<RecentScansProps, 'timezone' | 'onUndo'> {
  result: CheckInResult;
}

const ADMITTED: readonly string[] = ['admitted', 'admitted-offline'];

/** Memoized: it re-renders only for a new scan, so that the next result shows without delay. */
export const RecentScans = memo(function RecentScans({ results, timezone, onUndo }: RecentScansProps) {
  if (results.length === 0) return null;
  const admitted = results.filter((result) => ADMITTED.includes(styleNameOf(result))).length;

  return (
    <section className={styles.recent} aria-labelledby="recent-scans">
      <h2 id="recent-scans">Recent</h2>
      <p>
        {admitted} of the last {results.length} checked in
      </p>
      <ul>
        {results.map((result) => (
          <RecentScan key={result.id} result={result} timezone={timezone} onUndo={onUndo} />
        ))}
      </ul>
    </section>
  );
});

const RecentScan = memo(function RecentScan({ result, timezone, onUndo }: RecentScanProps) {
  return (
    <li>
      <ResultMark styleName={styleNameOf(result)} className={styles.recentMark} />
      <p>
        <span className={styles.code}>{codeTail(result.code)}</span> {summaryOf(result)}
      </p>
      <time dateTime={result.at.toISOString()}>{clockTime(result.at, timezone)}</time>
      <UndoCheckInButton result={result} onUndo={onUndo} ticket={codeTail(result.code)} />
    </li>
  );
});

/** The headline, or the whole message where the result has none. */
function summaryOf(result: CheckInResult): string {
  const styleName = styleNameOf(result);
  if (styleName === 'undone') return undone;
  return resultStyles[styleName].headline ?? result.msg;
}

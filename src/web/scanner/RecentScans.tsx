import { ResultMark } from '#web/ui/ResultMark.tsx';
import type { Outcome } from './outcome.ts';
import { codeTail } from './ScanResult.tsx';
import styles from './scanner.module.css';

const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

export function RecentScans({ outcomes }: { outcomes: readonly Outcome[] }) {
  if (outcomes.length === 0) return null;
  const admitted = outcomes.filter((outcome) => outcome.kind === 'admitted').length;

  return (
    <section className={styles.recent} aria-labelledby="recent-scans">
      <h2 id="recent-scans">Recent</h2>
      <p className={styles.recentCount}>
        {admitted} of the last {outcomes.length} let in
      </p>
      <ul>
        {outcomes.map((outcome) => (
          <li key={outcome.at.getTime()} data-kind={outcome.kind}>
            <ResultMark kind={outcome.kind} className={styles.recentMark} />
            <span>
              <span className={styles.code}>{codeTail(outcome.code)}</span> {outcome.msg}
            </span>
            <time dateTime={outcome.at.toISOString()}>{clock.format(outcome.at)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}

import { ResultMark } from '#web/ui/ResultMark.tsx';
import type { Outcome } from './outcome.ts';
import styles from './scanner.module.css';

/** The answer to the last check, in large letters. Mounted empty, so that screen readers hear every answer. */
export function ScanResult({ latest, isChecking }: { latest: Outcome | undefined; isChecking: boolean }) {
  return (
    <div className={styles.resultSlot} role="status">
      {isChecking && <p className={styles.pending}>Checking…</p>}
      {!isChecking && latest && (
        <div className={styles.result} data-kind={latest.kind}>
          <ResultMark kind={latest.kind} className={styles.resultMark} />
          <div>
            <p className={styles.resultWords}>{latest.msg}</p>
            <p className={styles.resultCode}>
              Code <span className={styles.code}>{codeTail(latest.code)}</span>
            </p>
          </div>
        </div>
      )}
      {!isChecking && !latest && <p className={styles.pending}>Ready. The answer to each scan shows here.</p>}
    </div>
  );
}

/** Enough to tell two tickets apart, not enough to copy one from the attendant's screen. */
export function codeTail(code: string): string {
  return code.length > 4 ? `…${code.slice(-4)}` : code;
}

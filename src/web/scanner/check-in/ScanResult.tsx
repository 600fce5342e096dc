import { scanTakenBack } from '#contract/door.ts';
import { decidedByDevice } from '#contract/door-words.ts';
import { ResultMark } from '#web/ui/ResultMark.tsx';
import { headlineAndRest, lookOf, resultLooks } from '#web/ui/result-looks.ts';
import text from '#web/ui/text.module.css';
import styles from '../scanner.module.css';
import type { Outcome } from './check-in-result.ts';
import { TakeBackButton } from './UndoCheckInButton.tsx';

interface ScanResultProps {
  latest: Outcome | undefined;
  isChecking: boolean;
  onTakeBack: (outcome: Outcome) => Promise<void>;
}

/** The answer to the last check, in large letters, and the way back from it. */
export function ScanResult({ latest, isChecking, onTakeBack }: ScanResultProps) {
  const shown = isChecking ? undefined : latest;
  const look = shown && resultLooks[lookOf(shown)];
  return (
    <div className={styles.result} data-verdict={look?.verdict} data-tone={look?.tone}>
      {/* Mounted empty, so that screen readers hear every answer; the seconds that run down stay outside of it. */}
      <div className={styles.resultSlot} role="status">
        {shown && <Answer outcome={shown} />}
        {isChecking && <p className={styles.pending}>Checking…</p>}
        {!isChecking && !latest && <p className={styles.pending}>Ready. The answer to each scan shows here.</p>}
      </div>
      {shown && <TakeBackButton key={shown.id} outcome={shown} onTakeBack={onTakeBack} />}
    </div>
  );
}

function Answer({ outcome }: { outcome: Outcome }) {
  const look = lookOf(outcome);
  const { headline, joint, rest } = headlineAndRest(look, outcome.isTakenBack ? scanTakenBack : outcome.msg);
  return (
    <div className={styles.answer}>
      <ResultMark look={look} isOnDark={resultLooks[look].verdict === 'stop'} className={styles.resultMark} />
      <p>
        <strong className={styles.headline}>
          {headline}
          <span className={text.srOnly}>{joint}</span>
        </strong>
        <span className={styles.sentence}>
          {rest} <span className={styles.code}>{codeTail(outcome.code)}</span>
        </span>
        {outcome.failure !== null && !outcome.isTakenBack && (
          <span className={styles.failure}> {decidedByDevice(outcome.failure)}</span>
        )}
      </p>
    </div>
  );
}

/** Enough to tell two tickets apart, not enough to copy one from the attendant's screen. */
export function codeTail(code: string): string {
  return code.length > 4 ? `…${code.slice(-4)}` : code;
}

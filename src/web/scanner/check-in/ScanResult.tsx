import { checkInErrors, checkInUndone, readyToScan } from '#messages/check-in.ts';
import { decidedByDevice } from '#messages/check-in-offline.ts';
import { ResultMark } from '#web/ui/check-in/ResultMark.tsx';
import { headlineAndRest, resultStyles, styleNameOf } from '#web/ui/check-in/result-styles.ts';
import text from '#web/ui/styles/text.module.css';
import styles from '../scanner.module.css';
import type { CheckInResult } from './check-in-result.ts';
import { UndoCheckInButton } from './UndoCheckInButton.tsx';

interface ScanResultProps {
  latest: CheckInResult | undefined;
  isChecking: boolean;
  isCancelled: boolean;
  onUndo: (result: CheckInResult) => Promise<void>;
}

/** The latest result in large type, with a button to undo it. */
export function ScanResult({ latest, isChecking, isCancelled, onUndo }: ScanResultProps) {
  const shown = isChecking ? undefined : latest;
  const styleName = shown && resultStyles[styleNameOf(shown)];
  return (
    <div className={styles.result} data-decision={styleName?.decision} data-tone={styleName?.tone}>
      {/* Mounted while empty, so that screen readers announce every result. The countdown stays outside the live region. */}
      <div role="status">
        {shown && <ResultMessage result={shown} />}
        {shown && !shown.isUndone && <Notes notes={shown.notes} />}
        {isChecking && <p className={styles.pending}>Checking…</p>}
        {!isChecking && !latest && (
          <p className={styles.pending}>{isCancelled ? checkInErrors['check-in.event-cancelled'] : readyToScan}</p>
        )}
      </div>
      {shown && <UndoCheckInButton key={shown.id} result={shown} onUndo={onUndo} />}
    </div>
  );
}

function ResultMessage({ result }: { result: CheckInResult }) {
  const styleName = styleNameOf(result);
  const { headline, joint, rest } = headlineAndRest(styleName, result.isUndone ? checkInUndone : result.msg);
  return (
    <div className={styles.answer}>
      <ResultMark
        styleName={styleName}
        isOnDark={resultStyles[styleName].decision === 'stop'}
        className={styles.resultMark}
      />
      <p>
        <strong className={styles.headline}>
          {headline}
          <span className={text.srOnly}>{joint}</span>
        </strong>
        <span className={styles.message}>
          {rest} <span className={styles.code}>{codeTail(result.code)}</span>
        </span>
        {result.failure !== null && !result.isUndone && (
          <span className={styles.failure}> {decidedByDevice(result.failure)}</span>
        )}
      </p>
    </div>
  );
}

/** Below the result and in its live region, so that screen readers read it after "Let them in". */
function Notes({ notes }: Pick<CheckInResult, 'notes'>) {
  if (notes.length === 0) return null;
  return (
    <dl className={styles.notes}>
      {notes.map(({ label, text: note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{note}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Enough to tell two tickets apart, too little to copy one off the attendant's screen. */
export function codeTail(code: string): string {
  return code.length > 4 ? `…${code.slice(-4)}` : code;
}

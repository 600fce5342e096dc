import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/button/Button.tsx';
import text from '#web/ui/styles/text.module.css';
import styles from '../scanner.module.css';
import type { CheckInResult } from './check-in-result.ts';
import { useSecondsUntil } from './use-seconds-until.ts';

interface UndoCheckInButtonProps {
  result: CheckInResult;
  onUndo: (result: CheckInResult) => Promise<void>;
  /** Names the ticket for screen readers where the page has several of these buttons. */
  ticket?: string;
}

/** Shows while the check-in can be undone. The countdown is hidden from screen readers: it would talk over every result. */
export function UndoCheckInButton({ result, ...rest }: UndoCheckInButtonProps) {
  const seconds = useSecondsUntil(result.undoUntil);
  if (result.isUndone || seconds === 0) return null;
  return <CountdownButton result={result} seconds={seconds} {...rest} />;
}

function CountdownButton({ result, onUndo, ticket, seconds }: UndoCheckInButtonProps & { seconds: number }) {
  const [isBusy, setIsBusy] = useState(false);
  const button = useRef<HTMLSpanElement>(null);

  // The button disappears on its own; focus moves to the heading instead of being lost.
  useLayoutEffect(() => {
    const label = button.current;
    return () => {
      if (label?.closest('button') === document.activeElement)
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    };
  }, []);

  return (
    <Button
      kind="ghost"
      className={styles.undo}
      busy={isBusy}
      onClick={() => {
        setIsBusy(true);
        void onUndo(result).finally(() => setIsBusy(false));
      }}
    >
      <span ref={button}>Undo{ticket && <span className={text.srOnly}> {ticket}</span>}</span>{' '}
      <span className={styles.seconds} aria-hidden="true">
        {seconds}
      </span>
    </Button>
  );
}

import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import text from '#web/ui/text.module.css';
import styles from '../scanner.module.css';
import type { Outcome } from './check-in-result.ts';
import { useSecondsUntil } from './use-seconds-until.ts';

interface TakeBackButtonProps {
  outcome: Outcome;
  onTakeBack: (outcome: Outcome) => Promise<void>;
  /** Where there are several: told after the words, to those who hear them. */
  of?: string;
}

/** There while the scan can be taken back. The seconds are for the eye only: read out, they would talk over every answer. */
export function TakeBackButton({ outcome, ...rest }: TakeBackButtonProps) {
  const seconds = useSecondsUntil(outcome.canTakeBackUntil);
  if (outcome.isTakenBack || seconds === 0) return null;
  return <Running outcome={outcome} seconds={seconds} {...rest} />;
}

function Running({ outcome, onTakeBack, of, seconds }: TakeBackButtonProps & { seconds: number }) {
  const [isBusy, setIsBusy] = useState(false);
  const button = useRef<HTMLSpanElement>(null);

  // It goes by itself: whoever stood on it is led to the top of the page, not to nowhere.
  useLayoutEffect(() => {
    const words = button.current;
    return () => {
      if (words?.closest('button') === document.activeElement)
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    };
  }, []);

  return (
    <Button
      kind="ghost"
      className={styles.takeBack}
      busy={isBusy}
      onClick={() => {
        setIsBusy(true);
        void onTakeBack(outcome).finally(() => setIsBusy(false));
      }}
    >
      <span ref={button}>Take back{of && <span className={text.srOnly}> {of}</span>}</span>{' '}
      <span className={styles.seconds} aria-hidden="true">
        {seconds}
      </span>
    </Button>
  );
}

import { useState } from 'react';
import { Button } from '#web/ui/button/Button.tsx';
import styles from './end-shift.module.css';

interface EndShiftProps {
  pending: number;
  onLeave: () => Promise<void>;
}

/** Discarding scans that have not synced takes a second tap. */
export function EndShift({ pending, onLeave }: EndShiftProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);

  function leave() {
    setIsLeaving(true);
    void onLeave().finally(() => setIsLeaving(false));
  }

  if (pending > 0 && isConfirming) {
    return (
      <div className={styles.endShift} role="group" aria-label="End shift">
        <p>
          {pending === 1 ? "1 scan hasn't" : `${pending} scans haven't`} synced. Leave now and{' '}
          {pending === 1 ? "it's" : "they're"} lost; {pending === 1 ? "it'll" : "they'll"} sync when you're back online.
        </p>
        <Button onClick={() => setIsConfirming(false)}>Stay</Button>
        <Button kind="danger" busy={isLeaving} onClick={leave}>
          {discardLabel(pending)}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.endShift}>
      <Button kind="ghost" busy={isLeaving} onClick={pending > 0 ? () => setIsConfirming(true) : leave}>
        End shift
      </Button>
    </div>
  );
}

function discardLabel(scans: number): string {
  return scans === 1 ? 'Discard 1 scan and end shift' : `Discard ${scans} scans and end shift`;
}

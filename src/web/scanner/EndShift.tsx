import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
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
      <div className={styles.endShift} role="group" aria-label="Leave the door">
        <p>
          Scans that were not handed in are lost when you leave. They are handed in by themselves once there is a
          network.
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
        Leave the door
      </Button>
    </div>
  );
}

function discardLabel(scans: number): string {
  return scans === 1 ? 'Discard 1 scan and leave' : `Discard ${scans} scans and leave`;
}

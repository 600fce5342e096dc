import { useState } from 'react';
import { endShiftMessages } from '#messages/check-in-offline.ts';
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
        <p>{endShiftMessages.unsynced(pending)}</p>
        <Button onClick={() => setIsConfirming(false)}>Stay</Button>
        <Button kind="danger" busy={isLeaving} onClick={leave}>
          {endShiftMessages.discard(pending)}
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

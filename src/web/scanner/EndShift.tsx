import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import styles from './end-shift.module.css';

interface LeaveDoorProps {
  pending: number;
  onLeave: () => Promise<void>;
}

/** At the end of the night. Scans that the server has not heard of are never thrown away in one tap. */
export function LeaveDoor({ pending, onLeave }: LeaveDoorProps) {
  const [isAsked, setIsAsked] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);

  function leave() {
    setIsLeaving(true);
    void onLeave().finally(() => setIsLeaving(false));
  }

  if (pending > 0 && isAsked) {
    return (
      <div className={styles.leave} role="group" aria-label="Leave the door">
        <p>
          Scans that were not handed in are lost when you leave. They are handed in by themselves once there is a
          network.
        </p>
        <Button onClick={() => setIsAsked(false)}>Stay</Button>
        <Button kind="danger" busy={isLeaving} onClick={leave}>
          {discardWords(pending)}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.leave}>
      <Button kind="ghost" busy={isLeaving} onClick={pending > 0 ? () => setIsAsked(true) : leave}>
        Leave the door
      </Button>
    </div>
  );
}

function discardWords(scans: number): string {
  return scans === 1 ? 'Discard 1 scan and leave' : `Discard ${scans} scans and leave`;
}

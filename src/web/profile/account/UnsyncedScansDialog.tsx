import styles from '#web/profile/event-form/EventForm.module.css';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';

interface WaitingScansDialogProps {
  waiting: number;
  onStay: () => void;
  onGoOn: () => void;
}

/** Asks before this browser forgets what nobody else knows. */
export function WaitingScansDialog({ waiting, onStay, onGoOn }: WaitingScansDialogProps) {
  return (
    <Dialog title="Scans are waiting" open onClose={onStay}>
      <p>
        {waiting === 1 ? '1 ticket was' : `${waiting} tickets were`} let in from this browser without a network, and
        nobody else knows yet. Going on removes that for good.
      </p>
      <p>To hand it in, open the scanner of the event while you are online.</p>
      <div className={styles.choices}>
        <Button onClick={onStay}>Not now</Button>
        <Button kind="danger" onClick={onGoOn}>
          Go on and lose it
        </Button>
      </div>
    </Dialog>
  );
}

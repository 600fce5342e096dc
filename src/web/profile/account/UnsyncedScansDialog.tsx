import styles from '#web/profile/event-form/EventForm.module.css';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';

interface UnsyncedScansDialogProps {
  unsynced: number;
  onStay: () => void;
  onProceed: () => void;
}

/** Confirms before scans that exist only in this browser are lost. */
export function UnsyncedScansDialog({ unsynced, onStay, onProceed }: UnsyncedScansDialogProps) {
  return (
    <Dialog title="Scans are waiting" open onClose={onStay}>
      <p>
        {unsynced === 1 ? '1 ticket was' : `${unsynced} tickets were`} let in from this browser without a network, and
        nobody else knows yet. Going on removes that for good.
      </p>
      <p>To hand it in, open the scanner of the event while you are online.</p>
      <div className={styles.choices}>
        <Button onClick={onStay}>Not now</Button>
        <Button kind="danger" onClick={onProceed}>
          Go on and lose it
        </Button>
      </div>
    </Dialog>
  );
}

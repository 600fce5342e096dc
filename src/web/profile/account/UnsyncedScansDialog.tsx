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
    <Dialog title="Unsynced scans" open onClose={onStay}>
      <p>
        {unsynced === 1 ? '1 check-in' : `${unsynced} check-ins`} made offline in this browser{' '}
        {unsynced === 1 ? "hasn't" : "haven't"} synced. If you continue, {unsynced === 1 ? "it's" : "they're"} lost.
      </p>
      <p>To sync, open the event's scanner while you're online.</p>
      <div className={styles.choices}>
        <Button onClick={onStay}>Not now</Button>
        <Button kind="danger" onClick={onProceed}>
          Continue anyway
        </Button>
      </div>
    </Dialog>
  );
}

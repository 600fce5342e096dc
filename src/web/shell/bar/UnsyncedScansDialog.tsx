import { unsyncedScansLost } from '#messages/check-in-offline.ts';
import { Button } from '#web/ui/button/Button.tsx';
import styles from '#web/ui/dialog/ConfirmDanger.module.css';
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
      <div className={styles.body}>
        <p>{unsyncedScansLost(unsynced)}</p>
        <p>To sync, open the event's scanner while you're online.</p>
        <div className={styles.choices}>
          <Button onClick={onStay}>Not now</Button>
          <Button kind="danger" onClick={onProceed}>
            Continue anyway
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

import styles from '#web/profile/event-form/EventForm.module.css';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';

interface LeaveDraftDialogProps {
  onStay: () => void;
  onKeep: () => void;
  onDiscard: () => void;
}

/** Closing the form can lose the draft, so ask. Reloading keeps it. */
export function LeaveDraftDialog({ onStay, onKeep, onDiscard }: LeaveDraftDialogProps) {
  return (
    <Dialog title="Keep your draft?" open onClose={onStay}>
      <p>It stays on this device only.</p>
      <div className={styles.choices}>
        <Button onClick={onKeep}>Keep the draft</Button>
        <Button kind="ghost" onClick={onStay}>
          Keep editing
        </Button>
        <Button kind="danger" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Dialog>
  );
}

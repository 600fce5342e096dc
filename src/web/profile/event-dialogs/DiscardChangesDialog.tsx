import styles from '#web/profile/event-form/EventForm.module.css';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';

/** Closing the edit form discards its fields, so ask first. */
export function DiscardChangesDialog({ onStay, onDrop }: { onStay: () => void; onDrop: () => void }) {
  return (
    <Dialog title="Leave without saving?" open onClose={onStay}>
      <p>You have unsaved changes.</p>
      <div className={styles.choices}>
        <Button onClick={onStay}>Keep editing</Button>
        <Button kind="danger" onClick={onDrop}>
          Discard changes
        </Button>
      </div>
    </Dialog>
  );
}

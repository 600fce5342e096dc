import { useState } from 'react';
import { attendantCodeChanged, changeAttendantCode } from '#contract/admission.ts';
import type { OrganizerEvent } from '#contract/events.ts';
import { outage } from '#contract/page-words.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { toast } from '#web/ui/toast.ts';
import styles from './EventForm.module.css';

interface ChangeCodeDialogProps {
  event: OrganizerEvent;
  onClose: () => void;
  onCodeChanged: () => Promise<void>;
}

/** A slip would stop the queue at the door, so the button asks. */
export function ChangeCodeDialog({ event, onClose, onCodeChanged }: ChangeCodeDialogProps) {
  const [isBusy, setIsBusy] = useState(false);

  async function change() {
    setIsBusy(true);
    try {
      await call(changeAttendantCode, { eventId: event.eventId });
      toast.success(attendantCodeChanged);
      await onCodeChanged();
      onClose();
    } catch (error) {
      toast.error(messageFrom(error, outage));
      setIsBusy(false);
    }
  }

  return (
    <Dialog title="Change the attendant code?" open onClose={onClose}>
      <p>The code of {event.title} stops working at once, and every device at the door has to enter the new one.</p>
      <div className={styles.choices}>
        <Button busy={isBusy} onClick={change}>
          Change the code
        </Button>
        <Button kind="ghost" onClick={onClose}>
          Keep the code
        </Button>
      </div>
    </Dialog>
  );
}

import { useState } from 'react';
import { changeAttendantCode } from '#contract/app/check-in.ts';
import { attendantCodeChanged } from '#messages/check-in.ts';
import { codeChangeConsequence } from '#messages/check-in-dashboard.ts';
import { outage } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './ConfirmDanger.module.css';
import { Dialog } from './Dialog.tsx';

interface ChangeCodeDialogProps {
  event: { eventId: string; title: string };
  onClose: () => void;
  onCodeChanged: () => Promise<void> | void;
}

/** Changing the code logs every device out, so ask first. */
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
      <div className={styles.body}>
        <p>
          The code for {event.title} stops working right away. {codeChangeConsequence}
        </p>
        <div className={styles.choices}>
          <Button busy={isBusy} onClick={change}>
            Change the code
          </Button>
          <Button kind="ghost" onClick={onClose}>
            Keep the code
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

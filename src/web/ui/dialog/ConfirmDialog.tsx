import { useState } from 'react';
import { outage } from '#messages/pages.ts';
import { messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './ConfirmDanger.module.css';
import { Dialog } from './Dialog.tsx';

export interface ConfirmDialogProps {
  title: string;
  why: string;
  confirm: string;
  cancel: string;
  send: () => Promise<{ msg: string }>;
  onDone: () => Promise<void> | void;
  onClose: () => void;
}

/** Asks once more before something that has no undo. */
export function ConfirmDialog({ title, why, confirm, cancel, send, onDone, onClose }: ConfirmDialogProps) {
  const [isBusy, setIsBusy] = useState(false);

  async function act() {
    setIsBusy(true);
    try {
      toast.success((await send()).msg);
      await onDone();
      onClose();
    } catch (error) {
      toast.error(messageFrom(error, outage));
      setIsBusy(false);
    }
  }

  return (
    <Dialog title={title} open onClose={onClose}>
      <div className={styles.body}>
        <p>{why}</p>
        <div className={styles.choices}>
          <Button kind="danger" busy={isBusy} onClick={act}>
            {confirm}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {cancel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

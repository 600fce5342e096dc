import { useState } from 'react';
import { webhooksPage as text, webhookLog } from '#messages/programs/webhooks.ts';
import { messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import shared from '../security.module.css';
import { SecretShown } from './SecretShown.tsx';
import styles from './webhooks.module.css';

/** Asks once more, then shows the new secret, once. */
export function RotateDialog({ send, onClose }: { send: () => Promise<{ secret: string }>; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function rotate() {
    setIsBusy(true);
    try {
      setSecret((await send()).secret);
    } catch (error) {
      toast.error(messageFrom(error, text.failed));
      setIsBusy(false);
    }
  }

  return (
    <Dialog title={secret === null ? webhookLog.rotateTitle : text.rotatedTitle} open onClose={onClose}>
      {secret === null ? (
        <div className={styles.made}>
          <p>{webhookLog.rotateWhy}</p>
          <div className={shared.choices}>
            <Button busy={isBusy} onClick={rotate}>
              {webhookLog.rotate}
            </Button>
            <Button kind="ghost" onClick={onClose}>
              {text.cancel}
            </Button>
          </div>
        </div>
      ) : (
        <SecretShown why={text.rotated} secret={secret} onClose={onClose} />
      )}
    </Dialog>
  );
}

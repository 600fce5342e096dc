import { webhooksPage as text } from '#messages/programs/webhooks.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import shared from '../security.module.css';
import styles from './webhooks.module.css';

/** A secret that is shown this once. */
export function SecretShown({ why, secret, onClose }: { why: string; secret: string; onClose: () => void }) {
  return (
    <div className={styles.made}>
      <p role="status">{why}</p>
      <p className={shared.key}>
        <code>{secret}</code>
        <CopyButton text={secret} label={text.copy} />
      </p>
      <Button onClick={onClose}>{text.done}</Button>
    </div>
  );
}

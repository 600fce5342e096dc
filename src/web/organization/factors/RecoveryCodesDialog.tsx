import { recoveryCodeList as text } from '#messages/accounts/factors.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import styles from '../security.module.css';

export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  function download() {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }));
    link.download = text.fileName;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  return (
    <Dialog title={text.title} open onClose={onClose}>
      <div className={styles.steps}>
        <p>{text.why}</p>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className={styles.choices}>
          <Button onClick={download}>{text.download}</Button>
          <Button kind="ghost" onClick={onClose}>
            {text.done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

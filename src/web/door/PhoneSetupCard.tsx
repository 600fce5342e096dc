import { Button } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { QrCode } from '#web/ui/ticket/QrCode.tsx';
import styles from './door.module.css';

interface PhoneSetupCardProps {
  scannerUrl: string;
  attendantCode: string;
  onChangeCode: () => void;
}

export function PhoneSetupCard({ scannerUrl, attendantCode, onChangeCode }: PhoneSetupCardProps) {
  return (
    <section id="staff" className={styles.card} aria-labelledby="staff-entry">
      <h2 id="staff-entry">Set up a phone</h2>
      <p className={styles.faint}>Scan this with its camera, then enter the attendant code.</p>
      <div className={styles.entry}>
        <QrCode value={scannerUrl} size={168} label="QR code for the scanner" />
        <dl>
          <div>
            <dt>Scanner</dt>
            <dd>
              <a href={scannerUrl}>{scannerUrl.replace(/^https?:\/\//, '')}</a>
              <CopyButton text={scannerUrl} label="Copy scanner link" />
            </dd>
          </div>
          <div>
            <dt>Attendant code</dt>
            <dd>
              <span className={styles.code}>{attendantCode}</span>
              <CopyButton text={attendantCode} label="Copy attendant code" />
            </dd>
          </div>
        </dl>
      </div>
      <div className={styles.buttons}>
        <Button kind="ghost" onClick={onChangeCode}>
          Change attendant code
        </Button>
      </div>
    </section>
  );
}

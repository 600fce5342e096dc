import { Poster } from '#web/ui/ticket/Poster.tsx';
import { QrCode } from '#web/ui/ticket/QrCode.tsx';
import { Stamp } from '#web/ui/ticket/Stamp.tsx';
import styles from './HeroTickets.module.css';

/** Hero illustration: a ticket, its QR code and the stamp, rendered live. */
export function HeroTickets() {
  return (
    <div className={styles.stage} aria-hidden="true">
      <div className={styles.posterTicket}>
        <div className={styles.posterPass}>
          <div className={styles.poster}>
            <Poster eventId="basement-brass-8" />
          </div>
          <div className={styles.about}>
            <p className={styles.when}>Fri, Jun 12 · 8 PM</p>
            <p className={styles.name}>Basement Brass</p>
            <p className={styles.venue}>The Cooperage, Brooklyn</p>
          </div>
        </div>
      </div>
      <div className={styles.codeTicket}>
        <div className={styles.codePass}>
          <QrCode value="4829103756" size={166} />
          <p className={styles.number}>4829 103 756</p>
          <p className={styles.type}>General admission</p>
        </div>
      </div>
      <Stamp className={styles.stamp} size={150} />
    </div>
  );
}

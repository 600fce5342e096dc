import type { ReactNode } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import { Poster } from './Poster.tsx';
import { QrCode } from './QrCode.tsx';
import styles from './TicketPass.module.css';

/** A portrait ticket: poster above the perforation, QR code below. */
export function TicketPass({
  eventId,
  title,
  when,
  venue,
  ticketName,
  position,
  confirmationNumber,
  className,
  children,
}: {
  /** Seed of the poster. */
  eventId: string;
  title: string;
  when?: ReactNode;
  venue?: ReactNode;
  ticketName: string;
  /** "Ticket 1 of 2" */
  position?: ReactNode;
  confirmationNumber: string;
  className?: string | undefined;
  /** Actions below the number. */
  children?: ReactNode;
}) {
  return (
    <div className={classNames(styles.shadow, className)}>
      <article className={styles.pass} aria-label={`${ticketName}, ${confirmationNumber}`}>
        <div className={styles.head}>
          <Poster eventId={eventId} className={styles.poster} />
          {when && <p className={styles.when}>{when}</p>}
          <p className={styles.title}>{title}</p>
          {venue && <p className={styles.venue}>{venue}</p>}
        </div>
        <div className={styles.tail}>
          <p className={styles.name}>{ticketName}</p>
          {position && <p className={styles.position}>{position}</p>}
          <QrCode value={confirmationNumber} label={`QR code of confirmation number ${confirmationNumber}`} />
          <p className={styles.label}>Confirmation number</p>
          <p className={styles.number}>{confirmationNumber}</p>
          {children}
        </div>
      </article>
    </div>
  );
}

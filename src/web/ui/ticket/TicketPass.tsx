import type { ReactNode } from 'react';
import type { Focus } from '#domain/sales/photos.ts';
import { inFocus } from '#web/photo-source.ts';
import { classNames } from '#web/ui/styles/class-names.ts';
import { Poster } from './Poster.tsx';
import { QrCode } from './QrCode.tsx';
import { Stamp } from './Stamp.tsx';
import styles from './TicketPass.module.css';

interface TicketPassProps {
  /** Seed of the poster. */
  eventId: string;
  /** In place of the poster. */
  photo?: string | null;
  photoFocus?: Focus | undefined;
  title: string;
  when?: ReactNode;
  venue?: ReactNode;
  ticketName: string;
  /** Who uses it. */
  guest?: string | undefined;
  /** "Ticket 1 of 2" */
  position?: ReactNode;
  className?: string | undefined;
}

interface ScannableProps extends TicketPassProps {
  confirmationNumber: string;
  /** It doesn't scan for now. */
  isVoid?: boolean;
  /** That it was checked in, and when. */
  stamp?: string | undefined;
  /** Actions below the number. */
  children?: ReactNode;
}

interface EndedProps extends TicketPassProps {
  /** What became of it. */
  ended: string;
  /** What can still be done. */
  children?: ReactNode;
}

/** A portrait ticket: picture above the perforation, QR code below. An ended one has no code. */
export function TicketPass(props: ScannableProps | EndedProps) {
  const { eventId, photo, photoFocus, title, when, venue, ticketName, guest, position, className } = props;
  const isEnded = 'ended' in props;
  const label = isEnded ? `${ticketName}, ${props.ended}` : `${ticketName}, ${props.confirmationNumber}`;
  return (
    <div className={classNames(styles.shadow, className)}>
      <article className={classNames(styles.pass, isEnded && styles.torn)} aria-label={label}>
        <div className={styles.head}>
          {photo ? (
            <img className={styles.poster} src={photo} {...inFocus(photoFocus)} alt="" />
          ) : (
            <Poster eventId={eventId} className={styles.poster} />
          )}
          {when && <p className={styles.when}>{when}</p>}
          <p className={styles.title}>{title}</p>
          {venue && <p className={styles.venue}>{venue}</p>}
        </div>
        <div className={styles.tail}>
          <p className={styles.name}>{ticketName}</p>
          {guest !== undefined && <p className={styles.guest}>{guest}</p>}
          {position && <p className={styles.position}>{position}</p>}
          {isEnded ? (
            <>
              <p className={styles.ended}>{props.ended}</p>
              {props.children}
            </>
          ) : (
            <Scannable {...props} />
          )}
        </div>
      </article>
    </div>
  );
}

function Scannable({ confirmationNumber, isVoid = false, stamp, children }: ScannableProps) {
  return (
    <>
      {!isVoid && (
        <div className={classNames(styles.code, stamp !== undefined && styles.used)}>
          <QrCode value={confirmationNumber} label={`QR code of confirmation number ${confirmationNumber}`} />
          {stamp !== undefined && <Stamp className={styles.stamp} />}
        </div>
      )}
      {stamp !== undefined && <p className={styles.stamped}>{stamp}</p>}
      <p className={styles.label}>Confirmation number</p>
      <p className={styles.number}>
        <span>{confirmationNumber.slice(0, 3)}</span>
        <span>{confirmationNumber.slice(3, 6)}</span>
        <span>{confirmationNumber.slice(6)}</span>
      </p>
      {children}
    </>
  );
}

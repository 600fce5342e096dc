import type { OwnComp } from '#contract/app/sales/comps.ts';
import { compsPage as text } from '#messages/sales/comps.ts';
import { doorNoteDialog } from '#messages/sales/door-notes.ts';
import styles from './comps.module.css';

/** The name, the address, and the note for the door. */
export function CompGuest({ name, email, doorNote }: Pick<OwnComp, 'name' | 'email' | 'doorNote'>) {
  return (
    <span className={styles.guest}>
      {name !== null && <strong>{name}</strong>}
      {email === null ? <span className={styles.note}>{text.noEmail}</span> : <span>{email}</span>}
      {doorNote !== null && <span className={styles.note}>{doorNoteDialog.shown(doorNote)}</span>}
    </span>
  );
}

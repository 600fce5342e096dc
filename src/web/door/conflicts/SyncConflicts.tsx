import { useState } from 'react';
import { type CheckInDashboard, type SyncConflict } from '#contract/app/check-in-devices.ts';
import {
  addOnConflictMessages,
  admittedTwice,
  invalidAdmissions,
  noSuchTicket,
  syncConflictMessages,
  whySyncConflicts,
  wronglyHandedOut,
} from '#messages/check-in-dashboard.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import styles from '../door.module.css';
import { shortMoment } from '../event-clock.ts';
import { conflictKeys, countDoubleAdmissions } from './count-conflicts.ts';

const SHOWN = 5;

/** A live region: the organizer must hear about conflicts anywhere on the page. */
export function SyncConflictBanners({ conflicts }: Pick<CheckInDashboard, 'conflicts'>) {
  const ofGuests = conflicts.filter(({ isAddOn }) => !isAddOn);
  const doubleAdmissions = countDoubleAdmissions(ofGuests);
  const wrong = ofGuests.filter(({ result }) => result !== 'double').length;
  const handedOut = conflicts.length - ofGuests.length;
  return (
    <div role="status" className={styles.banners}>
      {doubleAdmissions > 0 && <Banner kind="error" title={admittedTwice(doubleAdmissions)} />}
      {wrong > 0 && <Banner kind="warning" title={invalidAdmissions(wrong)} />}
      {handedOut > 0 && <Banner kind="warning" title={wronglyHandedOut(handedOut)} />}
    </div>
  );
}

export function SyncConflictsCard({ view }: { view: CheckInDashboard }) {
  const { conflicts } = view;
  const [isExpanded, setIsExpanded] = useState(false);
  const keys = conflictKeys(conflicts);
  if (conflicts.length === 0) return null;

  return (
    <section className={styles.card} aria-labelledby="sync-conflicts">
      <h2 id="sync-conflicts">Sync conflicts</h2>
      <p className={styles.faint}>{whySyncConflicts}</p>
      <ol className={styles.conflictList}>
        {(isExpanded ? conflicts : conflicts.slice(0, SHOWN)).map((conflict, index) => (
          <li key={keys[index]}>
            <ConflictDetails conflict={conflict} view={view} />
          </li>
        ))}
      </ol>
      {conflicts.length > SHOWN && (
        <Button
          kind="ghost"
          className={styles.showAll}
          aria-expanded={isExpanded}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          {isExpanded ? `Show the last ${SHOWN}` : `Show all ${conflicts.length.toLocaleString('en-US')}`}
        </Button>
      )}
    </section>
  );
}

function ConflictDetails({ conflict, view }: { conflict: SyncConflict; view: CheckInDashboard }) {
  const { result, ticketName, isAddOn, confirmationNumber, at, device, firstAt, firstDevice } = conflict;
  const time = (instant: number) => shortMoment(instant, view.timezone, view.now);
  const isDouble = result === 'double' && firstAt !== null;
  return (
    <>
      <div className={styles.conflictHead}>
        <b>{(isAddOn ? addOnConflictMessages : syncConflictMessages)[result]}</b>
        {confirmationNumber === null ? (
          <span>{noSuchTicket}</span>
        ) : (
          <span>
            {ticketName} <span className={styles.number}>{confirmationNumber}</span>
          </span>
        )}
      </div>
      <dl className={styles.moments}>
        {isDouble && <AdmissionTime label="First" text={`${time(firstAt)}, ${firstDevice ?? 'another device'}`} />}
        <AdmissionTime label={isDouble ? 'Again' : isAddOn ? 'Handed out' : 'Let in'} text={`${time(at)}, ${device}`} />
      </dl>
    </>
  );
}

function AdmissionTime({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  );
}

import { useState } from 'react';
import { admittedTwice } from '#contract/door.ts';
import {
  admittedWrongly,
  type CheckInDashboard,
  noSuchTicket,
  type SyncConflict,
  syncConflictMessages,
  whySyncConflicts,
} from '#contract/door-view-words.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import styles from '../door.module.css';
import { shortMoment } from '../event-clock.ts';
import { conflictKeys, countDoubleAdmissions } from './count-conflicts.ts';

const SHOWN = 5;

/** A live region: the organizer must hear about conflicts anywhere on the page. */
export function SyncConflictBanners({ findings }: Pick<CheckInDashboard, 'findings'>) {
  const doubleAdmissions = countDoubleAdmissions(findings);
  const wrong = findings.filter(({ outcome }) => outcome !== 'double').length;
  return (
    <div role="status" className={styles.banners}>
      {doubleAdmissions > 0 && <Banner kind="error" title={admittedTwice(doubleAdmissions)} />}
      {wrong > 0 && <Banner kind="warning" title={admittedWrongly(wrong)} />}
    </div>
  );
}

export function SyncConflictsCard({ view }: { view: CheckInDashboard }) {
  const { findings } = view;
  const [isExpanded, setIsExpanded] = useState(false);
  const keys = conflictKeys(findings);
  if (findings.length === 0) return null;

  return (
    <section className={styles.card} aria-labelledby="sync-conflicts">
      <h2 id="sync-conflicts">Sync conflicts</h2>
      <p className={styles.faint}>{whySyncConflicts}</p>
      <ol className={styles.conflictList}>
        {(isExpanded ? findings : findings.slice(0, SHOWN)).map((conflict, index) => (
          <li key={keys[index]}>
            <ConflictDetails conflict={conflict} view={view} />
          </li>
        ))}
      </ol>
      {findings.length > SHOWN && (
        <Button
          kind="ghost"
          className={styles.showAll}
          aria-expanded={isExpanded}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          {isExpanded ? `Show the last ${SHOWN}` : `Show all ${findings.length.toLocaleString('en-US')}`}
        </Button>
      )}
    </section>
  );
}

function ConflictDetails({ conflict, view }: { conflict: SyncConflict; view: CheckInDashboard }) {
  const { outcome, ticketName, confirmationNumber, at, device, firstAt, firstDevice } = conflict;
  const time = (instant: number) => shortMoment(instant, view.timezone, view.now);
  const isDouble = outcome === 'double' && firstAt !== null;
  return (
    <>
      <div className={styles.conflictHead}>
        <b>{syncConflictMessages[outcome]}</b>
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
        <AdmissionTime label={isDouble ? 'Again' : 'Let in'} text={`${time(at)}, ${device}`} />
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

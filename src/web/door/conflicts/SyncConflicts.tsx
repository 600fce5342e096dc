import { useState } from 'react';
import { admittedTwice } from '#contract/door.ts';
import {
  admittedWrongly,
  type DoorFinding,
  type DoorView,
  findingWords,
  noSuchTicket,
  whyFindings,
} from '#contract/door-view-words.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import styles from '../door.module.css';
import { shortMoment } from '../event-clock.ts';
import { doublesOf, keysOf } from './count-conflicts.ts';

const SHOWN = 5;

/** Live: these are what the organizer must hear of, wherever they are on the page. */
export function FindingBanners({ findings }: Pick<DoorView, 'findings'>) {
  const doubles = doublesOf(findings);
  const wrong = findings.filter(({ outcome }) => outcome !== 'double').length;
  return (
    <div role="status" className={styles.banners}>
      {doubles > 0 && <Banner kind="error" title={admittedTwice(doubles)} />}
      {wrong > 0 && <Banner kind="warning" title={admittedWrongly(wrong)} />}
    </div>
  );
}

export function FindingsCard({ view }: { view: DoorView }) {
  const { findings } = view;
  const [isWhole, setIsWhole] = useState(false);
  const keys = keysOf(findings);
  if (findings.length === 0) return null;

  return (
    <section className={styles.card} aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      <p className={styles.faint}>{whyFindings}</p>
      <ol className={styles.findingList}>
        {(isWhole ? findings : findings.slice(0, SHOWN)).map((finding, index) => (
          <li key={keys[index]}>
            <FindingWords finding={finding} view={view} />
          </li>
        ))}
      </ol>
      {findings.length > SHOWN && (
        <Button kind="ghost" className={styles.showAll} aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? `Show the last ${SHOWN}` : `Show all ${findings.length.toLocaleString('en-US')}`}
        </Button>
      )}
    </section>
  );
}

function FindingWords({ finding, view }: { finding: DoorFinding; view: DoorView }) {
  const { outcome, ticketName, confirmationNumber, at, device, firstAt, firstDevice } = finding;
  const time = (instant: number) => shortMoment(instant, view.timezone, view.now);
  const isDouble = outcome === 'double' && firstAt !== null;
  return (
    <>
      <div className={styles.findingHead}>
        <b>{findingWords[outcome]}</b>
        {confirmationNumber === null ? (
          <span>{noSuchTicket}</span>
        ) : (
          <span>
            {ticketName} <span className={styles.number}>{confirmationNumber}</span>
          </span>
        )}
      </div>
      <dl className={styles.moments}>
        {isDouble && <Admission label="First" words={`${time(firstAt)}, ${firstDevice ?? 'another device'}`} />}
        <Admission label={isDouble ? 'Again' : 'Let in'} words={`${time(at)}, ${device}`} />
      </dl>
    </>
  );
}

function Admission({ label, words }: { label: string; words: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{words}</dd>
    </div>
  );
}

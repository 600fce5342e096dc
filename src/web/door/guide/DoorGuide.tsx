import type { PublicEvent } from '#contract/app/events.ts';
import { addOnGuide, guideHints, guideSteps, guideWithoutNetwork, resultGuide } from '#messages/check-in-guide.ts';
import { addressLine } from '#messages/format.ts';
import { ResultMark } from '#web/ui/check-in/ResultMark.tsx';
import { headlineAndRest } from '#web/ui/check-in/result-styles.ts';
import { classNames } from '#web/ui/styles/class-names.ts';
import text from '#web/ui/styles/text.module.css';
import { QrCode } from '#web/ui/ticket/QrCode.tsx';
import { formatDates } from '../date-and-address.ts';
import styles from './DoorGuide.module.css';

interface DoorGuideProps {
  title: string;
  /** Null if the event page is closed; the guide then has no date or address. */
  event: PublicEvent | null;
  scannerUrl: string;
  hasAddOns: boolean;
  /** Null to leave a blank line for handwriting. */
  attendantCode: string | null;
  /** Shows the guide on screen; print always shows it. */
  isShown: boolean;
}

export function DoorGuide({ title, event, scannerUrl, hasAddOns, attendantCode, isShown }: DoorGuideProps) {
  return (
    <article id="door-guide" className={classNames(styles.sheet, isShown && styles.shown)} aria-label="Door guide">
      <header className={styles.head}>
        <div>
          <p className={styles.eyebrow}>Door guide</p>
          <h2>{title}</h2>
          {event && (
            <p>
              <b>{formatDates(event, 'long')}</b>
              <br />
              {addressLine(event)}
            </p>
          )}
        </div>
        <p className={styles.code}>
          Attendant code
          <b>{attendantCode ?? ''}</b>
        </p>
      </header>
      <section className={styles.start}>
        <QrCode value={scannerUrl} size={132} label="QR code for the scanner" />
        <div>
          <h3>Start</h3>
          <ol>
            {guideSteps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <p className={styles.address}>{scannerUrl.replace(/^https?:\/\//, '')}</p>
        </div>
      </section>
      <Results hasAddOns={hasAddOns} />
      <div className={styles.foot}>
        <section>
          <h3>Offline</h3>
          <List items={guideWithoutNetwork} />
        </section>
        <section>
          <h3>Good to know</h3>
          <List items={guideHints} />
        </section>
      </div>
      <Contacts organizer={event?.organizationName ?? null} />
    </article>
  );
}

function Results({ hasAddOns }: { hasAddOns: boolean }) {
  return (
    <table className={classNames(styles.results, hasAddOns && styles.many)}>
      <thead>
        <tr>
          <th scope="col" colSpan={2}>
            You see
          </th>
          <th scope="col">It means</th>
          <th scope="col">Do</th>
        </tr>
      </thead>
      <tbody>
        {[...resultGuide, ...(hasAddOns ? addOnGuide : [])].map(({ result, sees, means, act }) => {
          const { headline, joint, rest } = headlineAndRest(result, sees);
          return (
            <tr key={result}>
              <td>
                <ResultMark styleName={result} className={styles.mark} />
              </td>
              <th scope="row">
                {headline}
                <span className={text.srOnly}>{joint}</span>
                <small>{rest}</small>
              </th>
              <td>{means}</td>
              <td>{act}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function List({ items }: { items: readonly string[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

/** Blank lines: the phone numbers are unknown to us. */
function Contacts({ organizer }: { organizer: string | null }) {
  return (
    <section className={styles.ask}>
      <h3>Ask</h3>
      <p>
        Lead <i />
      </p>
      <p>
        {organizer ? `Organizer (${organizer})` : 'Organizer'} <i />
      </p>
    </section>
  );
}

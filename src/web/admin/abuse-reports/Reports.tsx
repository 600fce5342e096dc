import { type adminReports, handleReports, type ReportedEvent } from '#contract/app/abuse-reports.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { reportReasonTexts, reportList as text } from '#messages/operations/abuse-reports.ts';
import { call } from '#web/api.ts';
import { formatShort } from '#web/ui/data/format.ts';
import styles from '../ActionItems.module.css';
import { BrakeButton } from '../search/BrakeButton.tsx';
import { EventBrakes } from '../search/EventBrakes.tsx';

/** Events that people reported, until an operator has handled them. Nothing while there are none. */
export function Reports({
  reports: { events, total },
  onActed,
}: {
  reports: ReplyOf<typeof adminReports>;
  onActed: () => Promise<void>;
}) {
  if (total === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="reports">
      <h2 id="reports">{text.title(total)}</h2>
      <ul className={styles.items}>
        {events.map((event) => (
          <Reported key={event.eventId} event={event} onActed={onActed} />
        ))}
      </ul>
    </section>
  );
}

function Reported({ event, onActed }: { event: ReportedEvent; onActed: () => Promise<void> }) {
  const { eventId, title, organization, count, networks, reports } = event;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <h3>
          <a href={`/payment/${eventId}`}>{title}</a>
        </h3>
        <p className={styles.source}>{text.count(count, networks)}</p>
      </div>
      {organization && <p className={styles.source}>{organization}</p>}
      {count > reports.length && <p className={styles.source}>{text.newest(reports.length)}</p>}
      {reports.map(({ id, at, reason, text: words }) => (
        <p key={id} className={styles.reason}>
          <b>{reportReasonTexts[reason]}</b> {words} <time dateTime={at}>{formatShort(at, timeZone)}</time>
        </p>
      ))}
      <div className={styles.actions}>
        <BrakeButton
          action="handle-reports"
          about={title}
          send={(note) => call(handleReports, { eventId, note })}
          onDone={onActed}
        />
        <EventBrakes event={{ eventId, title }} onActed={onActed} />
      </div>
    </li>
  );
}

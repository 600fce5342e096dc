import type { adminMovedEvents } from '#contract/app/admin.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { movedEventList as text } from '#messages/operations/moved-events.ts';
import { formatShort } from '#web/ui/data/format.ts';
import styles from './ActionItems.module.css';
import { EventBrakes } from './search/EventBrakes.tsx';

/** Whether buyers still get the evening they paid for is for an operator to judge. Nothing while there are none. */
export function MovedEvents({
  moved: { events, total },
  onActed,
}: {
  moved: ReplyOf<typeof adminMovedEvents>;
  onActed: () => Promise<void>;
}) {
  if (total === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="moved-events">
      <h2 id="moved-events">{text.title(total)}</h2>
      <ul className={styles.items}>
        {events.map(({ eventId, title, organization, timezone, startedAt, startsAt, movedAt }) => (
          <li key={eventId} className={styles.item}>
            <div className={styles.head}>
              <h3>
                <a href={`/payment/${eventId}`}>{title}</a>
              </h3>
              <p className={styles.source}>
                {text.moved} <time dateTime={movedAt}>{formatShort(movedAt, timezone)}</time>
              </p>
            </div>
            {organization && <p className={styles.source}>{organization}</p>}
            <p className={styles.reason}>
              {text.from} <time dateTime={startedAt}>{formatShort(startedAt, timezone)}</time>
            </p>
            <p className={styles.reason}>
              {text.to} <time dateTime={startsAt}>{formatShort(startsAt, timezone)}</time>
            </p>
            <div className={styles.actions}>
              <EventBrakes event={{ eventId, title }} onActed={onActed} />
            </div>
          </li>
        ))}
      </ul>
      {total > events.length && <p>{text.more(total - events.length)}</p>}
    </section>
  );
}

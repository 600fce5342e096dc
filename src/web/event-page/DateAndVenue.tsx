import type { PublicEvent } from '#contract/app/events.ts';
import { directionsTo, streetAddress } from '#messages/format.ts';
import { allDates, otherDates } from '#messages/sales/event-page.ts';
import { formatShort } from '#web/ui/data/format.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { useHydrated } from '#web/ui/page/use-hydrated.ts';
import text from '#web/ui/styles/text.module.css';
import { eventDates } from './event-dates.ts';
import styles from './event-page.module.css';

export function DateAndVenue({ event }: { event: PublicEvent }) {
  // The server does not know the viewer's timezone, so it is added after hydration.
  const viewerZone = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : null;
  const dates = eventDates(event, viewerZone);
  const address = streetAddress(event);

  return (
    <dl className={styles.dateAndVenue}>
      <div>
        <dt>
          <span className={text.srOnly}>When</span>
          <span className={styles.tile} aria-hidden="true">
            <span>{dates.month}</span>
            <span>{dates.day}</span>
          </span>
        </dt>
        <dd>
          <time dateTime={event.startDate_startTime}>{dates.start}</time>
          <span className={styles.aside}>
            until <time dateTime={event.endDate_endTime}>{dates.end}</time>
          </span>
          {dates.doors && <span className={styles.aside}>Doors open {dates.doors}</span>}
          {dates.viewer && <span className={styles.aside}>{dates.viewer} your time</span>}
          <span className={styles.aside}>
            <a href={`/payment/${event.eventId}/event.ics`}>Add to calendar</a>
          </span>
          {event.otherDates && (
            <div className={styles.dates}>
              {otherDates}
              {event.otherDates.next.map(({ eventId, startsAt, timezone, subtitle }) => (
                <a key={eventId} href={`/payment/${eventId}`}>
                  {formatShort(startsAt, timezone)} {subtitle}
                </a>
              ))}
              <a href={`/series/${event.seriesId}`}>{allDates(event.otherDates.count + 1)}</a>
            </div>
          )}
        </dd>
      </div>
      <div>
        <dt>
          <span className={text.srOnly}>Where</span>
          <span className={styles.pin} aria-hidden="true">
            <Icon name="map-pin" />
          </span>
        </dt>
        <dd>
          <address>{event.venueName ?? event.street}</address>
          <span className={styles.aside}>
            {event.venueName && `${event.street}, `}
            {event.city}, {event.state} {event.postalCode} ·{' '}
            <a href={directionsTo(address)} target="_blank" rel="noreferrer">
              Directions<span className={text.srOnly}> to {address} (opens in a new tab)</span>
            </a>
          </span>
        </dd>
      </div>
    </dl>
  );
}

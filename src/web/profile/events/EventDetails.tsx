import type { OrganizerEvent } from '#contract/app/events.ts';
import { addressLine, formatDollars } from '#messages/format.ts';
import { listingFields } from '#messages/sales/page-settings.ts';
import { viewerZone } from '#web/profile/time-and-venue/schedule-preview.ts';
import { formatMoment } from '#web/ui/data/format.ts';
import styles from './EventDetails.module.css';

export function EventDetails({ event }: { event: OrganizerEvent }) {
  return (
    <div className={styles.details}>
      <p className={styles.description}>{event.plainDescription ?? event.description}</p>
      <dl className={styles.properties}>
        <Fact label="Location">{addressLine(event)}</Fact>
        <Fact label="Timezone">{event.timezone}</Fact>
        <Fact label="Start">{onViewersClock(event.startDate_startTime)}</Fact>
        <Fact label="End">{onViewersClock(event.endDate_endTime)}</Fact>
        <Fact label="Participants">{event.participants}</Fact>
        <Fact label={listingFields.isListed}>{event.isListed ? 'Yes' : 'No'}</Fact>
        <Fact label="Processing fee waived">{event.feeWaiveStatus ? 'Yes' : 'No'}</Fact>
      </dl>
      <h4>Tickets</h4>
      <ul className={styles.tickets}>
        {event.tickets.map((ticket) => (
          <li key={ticket.ticketId}>
            <div>
              <b>{ticket.ticketName}</b>
              <p>{ticket.ticketDescription}</p>
            </div>
            <span>{formatDollars(ticket.ticketPrice)}</span>
            <span>
              Quantity: {ticket.ticketQuantity.toLocaleString('en-US')}
              <br />
              {ticket.ticketsSold.toLocaleString('en-US')} sold, {ticket.available.toLocaleString('en-US')} left
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The card shows the event's time zone; this shows the organizer's. */
const onViewersClock = (instant: string) => formatMoment(instant, viewerZone());

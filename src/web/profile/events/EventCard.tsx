import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { formatDollars } from '#domain/money.ts';
import { plural, TICKETS } from '#messages/format.ts';
import { photoSource } from '#web/photo-source.ts';
import { GuestList } from '#web/profile/guests/GuestList.tsx';
import { PayoutPanel } from '#web/profile/payouts/PayoutPanel.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { Poster } from '#web/ui/ticket/Poster.tsx';
import { CancellationProgress } from './CancellationProgress.tsx';
import { CopyLink } from './CopyLink.tsx';
import { EventActions, type EventDialog } from './EventActions.tsx';
import styles from './EventCard.module.css';
import { EventDetails } from './EventDetails.tsx';
import { type EventStatus, formatEventTime, salesStartNote, statusOf, ticketsOffered } from './event-totals.ts';

const tones = { Scheduled: 'note', 'On sale': 'ok', Ended: 'off', Cancelled: 'bad' } as const satisfies Record<
  EventStatus,
  string
>;

interface EventCardProps {
  event: OrganizerEvent;
  onOpen: (dialog: EventDialog) => void;
  onChanged: () => Promise<void>;
}

export function EventCard({ event, onOpen, onChanged }: EventCardProps) {
  const id = useId();
  const [hasDetails, setHasDetails] = useState(false);
  const [hasGuests, setHasGuests] = useState(false);
  const now = new Date();
  const status = statusOf(event, now);
  const gross = formatDollars(event.gross);

  return (
    <article className={styles.card} aria-labelledby={`${id}-title`}>
      <div className={styles.top}>
        <Cover event={event} />
        <div className={styles.body}>
          <div className={styles.titleRow}>
            <h3 id={`${id}-title`}>{event.title}</h3>
            <Chip tone={tones[status]}>{status}</Chip>
          </div>
          <p className={styles.when}>
            {formatEventTime(event)} · {event.city}, {event.state}
          </p>
          {status === 'Scheduled' && <p className={styles.when}>{salesStartNote(event, now)}</p>}
          <dl className={styles.totals}>
            <Total
              label="Tickets sold"
              value={`${event.ticketsSold.toLocaleString('en-US')} of ${ticketsOffered(event).toLocaleString('en-US')}`}
            />
            <Total label="Gross sales" value={gross} />
            <Total label="Checked in" value={event.ticketsScanned.toLocaleString('en-US')} />
          </dl>
          <div className={styles.passes}>
            <span>
              Attendant code <b className={styles.code}>{event.attendantId}</b>
              <IconButton label="Change the attendant code" icon="key" onClick={() => onOpen('change-code')} />
              <Link to={`/door/${event.eventId}#staff`}>Door QR</Link>
            </span>
            <CopyLink url={event.eventUrl} />
          </div>
        </div>
        <Button
          className={styles.more}
          aria-expanded={hasDetails}
          aria-controls={`${id}-details`}
          onClick={() => setHasDetails(!hasDetails)}
        >
          {hasDetails ? 'Hide Details' : 'Show Details'}
        </Button>
        <EventActions event={event} onOpen={onOpen} />
      </div>
      {event.cancellation && <CancellationProgress {...event.cancellation} />}

      <div id={`${id}-details`} hidden={!hasDetails}>
        {hasDetails && <EventDetails event={event} />}
      </div>

      <PayoutPanel event={event} onChanged={onChanged} />

      <div className={styles.tear}>
        <h4>
          {plural(event.ticketsSold, TICKETS)} sold, {gross} grossed
        </h4>
        <Button
          kind="ghost"
          aria-expanded={hasGuests}
          aria-controls={`${id}-guests`}
          onClick={() => setHasGuests(!hasGuests)}
        >
          {hasGuests ? 'Hide Guest List' : 'Show Guest List'}
        </Button>
      </div>
      <div id={`${id}-guests`} hidden={!hasGuests}>
        {hasGuests && <GuestList event={event} />}
      </div>
    </article>
  );
}

function Cover({ event }: { event: OrganizerEvent }) {
  const cover = event.eventPhotos[0];
  return (
    <div className={styles.cover}>
      {cover ? <img src={photoSource(cover)} alt="" loading="lazy" /> : <Poster eventId={event.eventId} />}
    </div>
  );
}

function Total({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

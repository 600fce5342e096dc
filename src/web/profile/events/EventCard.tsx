import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type Access, type Action, isAllowed } from '#domain/accounts/roles.ts';
import { formatDollars, plural, TICKETS } from '#messages/format.ts';
import { ofWhichComps } from '#messages/guests.ts';
import { stoppedByUs } from '#messages/operations/brakes.ts';
import { salesPaused } from '#messages/sales/event-page.ts';
import { photoSource } from '#web/photo-source.ts';
import { GuestList } from '#web/profile/guests/GuestList.tsx';
import { PayoutPanel } from '#web/profile/payouts/PayoutPanel.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Poster } from '#web/ui/ticket/Poster.tsx';
import { CancellationProgress } from './CancellationProgress.tsx';
import { CopyLink } from './CopyLink.tsx';
import { EventActions, type EventDialog } from './EventActions.tsx';
import styles from './EventCard.module.css';
import { EventDetails } from './EventDetails.tsx';
import { type EventStatus, formatEventTime, salesStartNote, statusOf, ticketsOffered } from './event-totals.ts';
import { LifeActions } from './LifeActions.tsx';

const tones = {
  Draft: 'off',
  Scheduled: 'note',
  'On sale': 'ok',
  [salesPaused]: 'few',
  Ended: 'off',
  Cancelled: 'bad',
} as const satisfies Record<EventStatus, string>;

interface EventCardProps {
  access: Access;
  event: OrganizerEvent;
  isAccountUnconfirmed: boolean;
  onOpen: (dialog: EventDialog) => void;
  onChanged: () => Promise<void>;
}

export function EventCard({ access, event, isAccountUnconfirmed, onOpen, onChanged }: EventCardProps) {
  const id = useId();
  const [hasDetails, setHasDetails] = useState(false);
  const [hasGuests, setHasGuests] = useState(false);
  const now = new Date();
  const status = statusOf(event, now);
  const gross = event.gross === null ? null : formatDollars(event.gross);
  const may = (action: Action) => isAllowed(access, action);

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
              note={event.comps ? ofWhichComps(event.comps) : undefined}
            />
            {gross !== null && <Total label="Gross sales" value={gross} />}
            <Total label="Checked in" value={event.ticketsScanned.toLocaleString('en-US')} />
          </dl>
          <div className={styles.passes}>
            {event.attendantId !== null && (
              <span>
                Attendant code <b className={styles.code}>{event.attendantId}</b>
                <IconButton label="Change the attendant code" icon="key" onClick={() => onOpen('change-code')} />
                <Link to={`/door/${event.eventId}#staff`}>Door QR</Link>
              </span>
            )}
            {!event.isDraft && <CopyLink url={event.eventUrl} />}
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
        <EventActions access={access} event={event} onOpen={onOpen} />
        <LifeActions access={access} event={event} onChanged={onChanged} />
      </div>
      {event.salesStopped && (
        <Banner kind="warning" title={salesPaused}>
          {stoppedByUs(event.salesStopped.reason)}
        </Banner>
      )}
      {event.cancellation && <CancellationProgress {...event.cancellation} />}

      <div id={`${id}-details`} hidden={!hasDetails}>
        {hasDetails && <EventDetails event={event} />}
      </div>

      {may('payout.view') && !event.isDraft && (
        <PayoutPanel event={event} access={access} isAccountUnconfirmed={isAccountUnconfirmed} onChanged={onChanged} />
      )}

      <div className={styles.tear}>
        <h4>
          {plural(event.ticketsSold, TICKETS)} sold{event.comps ? `, ${ofWhichComps(event.comps)}` : ''}
          {gross !== null && `, ${gross} grossed`}
        </h4>
        {may('guest.view') && (
          <Button
            kind="ghost"
            aria-expanded={hasGuests}
            aria-controls={`${id}-guests`}
            onClick={() => setHasGuests(!hasGuests)}
          >
            {hasGuests ? 'Hide Guest List' : 'Show Guest List'}
          </Button>
        )}
      </div>
      <div id={`${id}-guests`} hidden={!hasGuests}>
        {hasGuests && <GuestList access={access} event={event} />}
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

function Total({ label, value, note }: { label: string; value: string; note?: string | undefined }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}

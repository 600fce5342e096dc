import { Suspense, useId, useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type Access, type Action, isAllowed } from '#domain/accounts/roles.ts';
import { formatDollars } from '#messages/format.ts';
import { ofWhichComps } from '#messages/guests.ts';
import { stoppedByUs } from '#messages/operations/brakes.ts';
import { eventTabs, eventList as text } from '#messages/records/workspace.ts';
import { salesPaused } from '#messages/sales/event-page.ts';
import { inFocus, photoSource } from '#web/photo-source.ts';
import { PayoutPanel } from '#web/profile/payouts/PayoutPanel.tsx';
import { RequestPayout } from '#web/profile/payouts/RequestPayout.tsx';
import { lazyScreen } from '#web/shell/lazy-screen.tsx';
import { StatusChip } from '#web/shell/workspace/StatusChip.tsx';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Poster } from '#web/ui/ticket/Poster.tsx';
import { CancellationProgress } from './CancellationProgress.tsx';
import { CardDates } from './CardDates.tsx';
import { EventActions, type EventDialog } from './EventActions.tsx';
import styles from './EventCard.module.css';
import { formatEventTime, salesStartNote, statusOf, ticketsOffered } from './event-totals.ts';
import { LifeActions } from './LifeActions.tsx';

/** Loaded once the page is used, or with a press. */
export const cardDetails = lazyScreen(() => import('./CardDetails.tsx'));

interface EventCardProps {
  access: Access;
  event: OrganizerEvent;
  isAccountUnconfirmed: boolean;
  /** Of a line of the list, which was opened for them. */
  startsWithDetails?: boolean;
  onOpen: (dialog: EventDialog) => void;
  onChanged: () => Promise<void>;
}

export function EventCard({
  access,
  event,
  isAccountUnconfirmed,
  startsWithDetails = false,
  onOpen,
  onChanged,
}: EventCardProps) {
  const id = useId();
  const [hasDetails, setHasDetails] = useState(startsWithDetails);
  const [hasGuests, setHasGuests] = useState(false);
  const now = new Date();
  const status = statusOf(event, now);
  const gross = event.gross === null ? null : formatDollars(event.gross);
  const may = (action: Action) => isAllowed(access, action);

  const net = event.payout.statement?.net;
  // A payout that needs attention shows by itself.
  const hasPayout = may('payout.view') && (event.payout.hold !== null || !QUIET_PAYOUTS.has(event.payout.state));
  const payout = { event, access, isAccountUnconfirmed, onChanged };

  return (
    <article className={styles.card} aria-labelledby={`${id}-title`}>
      <div className={styles.top}>
        <Cover event={event} />
        <div className={styles.body}>
          <div className={styles.titleRow}>
            <h3 id={`${id}-title`}>{event.title}</h3>
            <StatusChip status={status} />
          </div>
          {event.subtitle && <p className={styles.when}>{event.subtitle}</p>}
          <p className={styles.when}>
            <span className={styles.where}>
              {formatEventTime(event)} · {event.city}, {event.state}
            </span>
            <CardDates access={access} event={event} onChanged={onChanged} />
          </p>
          {status === 'scheduled' && <p className={styles.when}>{salesStartNote(event, now)}</p>}
          {!event.isDraft && (
            <dl className={styles.totals}>
              <Total
                label="Tickets sold"
                value={`${event.ticketsSold.toLocaleString('en-US')} of ${ticketsOffered(event).toLocaleString('en-US')}`}
                note={event.comps ? ofWhichComps(event.comps) : undefined}
              />
              {gross !== null && <Total label="Gross sales" value={gross} />}
              {net !== undefined && !event.isCancelled && (
                <Total label={text.gets} value={formatDollars(Math.max(0, net))} />
              )}
              <Total label="Checked in" value={event.ticketsScanned.toLocaleString('en-US')} />
            </dl>
          )}
        </div>
        <div className={styles.more}>
          <ButtonLink to={`/events/${event.eventId}`}>{text.open}</ButtonLink>
          {may('check-in.manage') && !event.isDraft && (
            <ButtonLink kind="ghost" to={`/events/${event.eventId}/door`}>
              {eventTabs.door}
            </ButtonLink>
          )}
          <Button
            kind="ghost"
            aria-expanded={hasDetails}
            aria-controls={`${id}-details`}
            onClick={() => setHasDetails(!hasDetails)}
          >
            {hasDetails ? text.hide : text.show}
          </Button>
        </div>
        <EventActions access={access} event={event} onOpen={onOpen}>
          {!hasPayout && may('payout.view') && !event.isDraft && (
            <RequestPayout event={event} access={access} isReady={false} onChanged={onChanged} />
          )}
          <LifeActions access={access} event={event} onChanged={onChanged} />
        </EventActions>
      </div>
      {event.salesStopped && (
        <Banner kind="warning" title={salesPaused}>
          {stoppedByUs(event.salesStopped.reason)}
        </Banner>
      )}
      {event.cancellation && <CancellationProgress {...event.cancellation} />}
      {hasPayout && <PayoutPanel {...payout} />}

      <div id={`${id}-details`} hidden={!hasDetails}>
        {hasDetails && (
          <Suspense>
            <cardDetails.Component
              access={access}
              event={event}
              payout={
                !hasPayout && may('payout.view') && !event.isDraft && <PayoutPanel {...payout} hasRequest={false} />
              }
              hasGuests={hasGuests}
              onGuests={setHasGuests}
              onOpen={onOpen}
            />
          </Suspense>
        )}
      </div>
    </article>
  );
}

/** With nothing to do or to watch. */
const QUIET_PAYOUTS = new Set<OrganizerEvent['payout']['state']>(['too-early', 'nothing-to-pay', 'cancelled']);

function Cover({ event }: { event: OrganizerEvent }) {
  const index = event.coverPhoto ?? 0;
  const cover = event.eventPhotos[index];
  const focus = event.photoDetails?.[index]?.focus;
  return (
    <div className={styles.cover}>
      {cover ? (
        <img src={photoSource(cover)} {...inFocus(focus)} alt="" loading="lazy" />
      ) : (
        <Poster eventId={event.eventId} />
      )}
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

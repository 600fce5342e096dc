import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type Access, isAllowed } from '#domain/accounts/roles.ts';
import { formatDollars, plural, TICKETS } from '#messages/format.ts';
import { ofWhichComps } from '#messages/guests.ts';
import { GuestList } from '#web/profile/guests/GuestList.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import styles from './CardDetails.module.css';
import { CopyLink } from './CopyLink.tsx';
import type { EventDialog } from './EventActions.tsx';
import { EventDetails } from './EventDetails.tsx';

interface CardDetailsProps {
  access: Access;
  event: OrganizerEvent;
  payout: ReactNode;
  /** Whether the guest list shows. The card remembers it while these details are closed. */
  hasGuests: boolean;
  onGuests: (hasGuests: boolean) => void;
  onOpen: (dialog: EventDialog) => void;
}

/** What an event's card says on request. */
function CardDetails({ access, event, payout, hasGuests, onGuests, onOpen }: CardDetailsProps) {
  const id = useId();
  return (
    <>
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
      <EventDetails event={event} />
      {payout}
      <div className={styles.tear}>
        <h4>
          {plural(event.ticketsSold, TICKETS)} sold{event.comps ? `, ${ofWhichComps(event.comps)}` : ''}
          {event.gross !== null && `, ${formatDollars(event.gross)} grossed`}
        </h4>
        {isAllowed(access, 'guest.view') && (
          <Button kind="ghost" aria-expanded={hasGuests} aria-controls={id} onClick={() => onGuests(!hasGuests)}>
            {hasGuests ? 'Hide Guest List' : 'Show Guest List'}
          </Button>
        )}
      </div>
      <div id={id} hidden={!hasGuests}>
        {hasGuests && <GuestList access={access} event={event} />}
      </div>
    </>
  );
}

export { CardDetails as Component };

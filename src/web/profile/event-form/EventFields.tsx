import type { OrganizerEvent } from '#contract/app/events.ts';
import { WhenFields } from '#web/profile/time-and-venue/WhenFields.tsx';
import { WhereFields } from '#web/profile/time-and-venue/WhereFields.tsx';
import { BasicsFields } from './BasicsFields.tsx';
import { CheckInHoursFields } from './CheckInHoursFields.tsx';
import { EventReview } from './EventReview.tsx';
import { OnSaleFields } from './OnSaleFields.tsx';
import { TicketFields } from './TicketFields.tsx';
import type { EventDraft } from './use-event-draft.ts';

/** All fields of the event form. `stored` is the event being edited. */
export function EventFields({ event, stored }: { event: EventDraft; stored?: OrganizerEvent }) {
  return (
    <>
      <BasicsFields event={event} />
      <WhenFields event={event} stored={stored} />
      <OnSaleFields event={event} />
      <CheckInHoursFields event={event} />
      <WhereFields event={event} />
      <TicketFields event={event} stored={stored} />
      <EventReview event={event} />
    </>
  );
}

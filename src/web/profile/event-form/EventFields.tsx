import type { OrganizerEvent } from '#contract/app/events.ts';
import type { FeeTerms } from '#domain/fees.ts';
import { WhenFields } from '#web/profile/time-and-venue/WhenFields.tsx';
import { WhereFields } from '#web/profile/time-and-venue/WhereFields.tsx';
import { AdvancedFields } from './advanced/AdvancedFields.tsx';
import { BasicsFields } from './BasicsFields.tsx';
import { EventReview } from './EventReview.tsx';
import { TicketFields } from './TicketFields.tsx';
import type { EventDraft } from './use-event-draft.ts';

interface EventFieldsProps {
  event: EventDraft;
  /** The event being edited. */
  stored?: OrganizerEvent;
  /** What the event pays. */
  terms: FeeTerms;
}

/** All fields of the event form. */
export function EventFields({ event, stored, terms }: EventFieldsProps) {
  return (
    <>
      <BasicsFields event={event} stored={stored} />
      <WhenFields event={event} stored={stored} />
      <WhereFields event={event} />
      <TicketFields event={event} stored={stored} terms={terms} />
      <AdvancedFields event={event} />
      <EventReview event={event} terms={terms} />
    </>
  );
}

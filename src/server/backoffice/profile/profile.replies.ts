import type { OrganizerEvent } from '#contract/app/events.ts';
import { dollarsOf } from '#domain/money.ts';
import { type GuestPage } from '#server/backoffice/guests/guests.replies.ts';
import { type EventParts, eventFields, type Row, ticketTypeFields } from '#server/events/event-columns.ts';
import { eventVersion } from '#server/events/event-version.ts';
import type { ticketTotals } from '#server/events/totals/ticket-totals.sql.ts';

export interface OrganizerParts extends EventParts {
  cancellation: NonNullable<OrganizerEvent['cancellation']>;
  payout: OrganizerEvent['payout'];
  /** One per ticket type with sales. */
  totals: Row<typeof ticketTotals>[];
  guests: GuestPage;
  eventUrl: string;
}

export function organizerEventReply({
  totals,
  cancellation,
  payout,
  guests,
  eventUrl,
  ...parts
}: OrganizerParts): OrganizerEvent {
  const { event, types } = parts;
  const soldOf = (typeId: string) => totals.find((total) => total.ticketTypeId === typeId)?.sold ?? 0;
  const sum = (field: 'sold' | 'scanned' | 'grossCents') => totals.reduce((all, total) => all + total[field], 0);
  return {
    _id: event.recordId,
    ...eventFields(parts),
    tickets: types.map((type) => ({
      ...ticketTypeFields(type),
      available: type.available,
      ticketsSold: soldOf(type.id),
    })),
    participants: event.participants,
    checkInOpensAt: event.checkInOpensAt?.toISOString() ?? null,
    checkInClosesAt: event.checkInClosesAt?.toISOString() ?? null,
    version: eventVersion(event, parts.types),
    attendantId: event.attendantCode,
    feeWaiveStatus: event.processingFeeWaived,
    eventUrl,
    isCancelled: event.cancelledAt !== null,
    cancellation: event.cancelledAt === null ? null : cancellation,
    payout,
    ticketsSold: sum('sold'),
    ticketsScanned: sum('scanned'),
    gross: dollarsOf(sum('grossCents')),
    ...guests,
  };
}

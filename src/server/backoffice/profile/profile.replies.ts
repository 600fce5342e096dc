import type { OrganizerEvent } from '#contract/app/events.ts';
import { type Access, isAllowed } from '#domain/accounts/roles.ts';
import { dollarsOf } from '#domain/money.ts';
import { type GuestPage } from '#server/backoffice/guests/guests.replies.ts';
import { brakeOf, type EventParts, eventFields, type Row, ticketTypeReply } from '#server/events/event-columns.ts';
import { eventVersion } from '#server/events/event-version.ts';
import { plainTextOf } from '#server/events/rich-text/read-rich-text.ts';
import type { ticketTotals } from '#server/events/totals/ticket-totals.sql.ts';

export interface OrganizerParts extends EventParts {
  cancellation: NonNullable<OrganizerEvent['cancellation']>;
  payout: OrganizerEvent['payout'];
  /** One per ticket type with sales. */
  totals: Row<typeof ticketTotals>[];
  comps: number;
  guests: GuestPage;
  eventUrl: string;
}

/** Without what the member's role may not see. */
export function organizerEventReply(
  access: Access,
  { totals, comps, cancellation, payout, guests, eventUrl, ...parts }: OrganizerParts,
): OrganizerEvent {
  const { event, types } = parts;
  const soldOf = (typeId: string) => totals.find((total) => total.ticketTypeId === typeId)?.sold ?? 0;
  const sum = (field: 'sold' | 'soldFree' | 'grossCents') => totals.reduce((all, total) => all + total[field], 0);
  const plainDescription = plainTextOf(event.description);
  return {
    _id: event.recordId,
    ...eventFields(parts),
    ...(plainDescription !== event.description && { plainDescription }),
    tickets: types.map((type) => ({
      ...ticketTypeReply(type),
      available: type.availableToBuy,
      reserved: type.reserved,
      ticketsSold: soldOf(type.id),
    })),
    participants: event.participants,
    isListed: event.isListed,
    checkInOpensAt: event.checkInOpensAt?.toISOString() ?? null,
    checkInClosesAt: event.checkInClosesAt?.toISOString() ?? null,
    version: eventVersion(event, parts.types),
    attendantId: event.isPublished && isAllowed(access, 'check-in.manage') ? event.attendantCode : null,
    feeWaiveStatus: event.processingFeeWaived,
    feeTerms: event.feeTerms,
    eventUrl,
    isCancelled: event.cancelledAt !== null,
    isDraft: !event.isPublished,
    salesStopped: brakeOf(event.salesStoppedAt, event.stopReason),
    cancellation: event.cancelledAt === null ? null : cancellation,
    payout: isAllowed(access, 'payout.view') ? payout : { ...payout, statement: null, cancelCosts: 0, further: [] },
    ticketsSold: sum('sold'),
    ...(sum('soldFree') > 0 && { freeTickets: sum('soldFree') }),
    ...(comps > 0 && { comps }),
    ticketsScanned: totals
      .filter(({ ticketTypeId }) => !types.find(({ id }) => id === ticketTypeId)?.isAddOn)
      .reduce((all, { scanned }) => all + scanned, 0),
    gross: isAllowed(access, 'sales.view') ? dollarsOf(sum('grossCents')) : null,
    ...guests,
  };
}

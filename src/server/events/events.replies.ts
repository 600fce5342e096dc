/** Event rows in the wire's names. Only what is listed here leaves the server. */
import type { OrganizerEvent, PublicEvent } from '#contract/events.ts';
import type { ExportedGuest, Guest, GuestState } from '#contract/guests.ts';
import { shownAvailability } from '#domain/availability.ts';
import { dollarsOf } from '#domain/money.ts';
import type { ExportedRow, GuestRow } from '#server/orders/guests/guests.sql.ts';
import type { ticketTotals } from '#server/orders/guests/ticket-totals.sql.ts';
import { eventVersion } from './event-version.ts';
import type { eventRowsOf, publicEventRow, ticketTypeRows } from './events.sql.ts';

type Row<Query extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Query>>[number];

/** An event with what lies around it; `photos` are addresses. */
export interface EventParts {
  event: Row<typeof eventRowsOf>;
  types: Row<typeof ticketTypeRows>[];
  photos: string[];
}

export function publicEventReply(
  parts: EventParts,
  organizer: Pick<NonNullable<Awaited<ReturnType<typeof publicEventRow>>>, 'organizationName' | 'organizationBio'>,
): PublicEvent {
  return { ...factsOf(parts), organizationName: organizer.organizationName, bio: organizer.organizationBio };
}

export interface OrganizerParts extends EventParts {
  cancellation: NonNullable<OrganizerEvent['cancellation']>;
  payout: OrganizerEvent['payout'];
  /** One for each ticket type that has sold. */
  totals: Row<typeof ticketTotals>[];
  guests: GuestPage;
  eventUrl: string;
}

export interface GuestPage {
  guestList: Guest[];
  guestListNext: string | null;
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
  const sum = (figure: 'sold' | 'scanned' | 'grossCents') => totals.reduce((all, total) => all + total[figure], 0);
  return {
    _id: event.recordId,
    ...factsOf(parts),
    tickets: types.map((type) => ({ ...typeFacts(type), available: leftOf(type), ticketsSold: soldOf(type.id) })),
    participants: event.participants,
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

/** `rows` may hold one guest more than the page, which says that there is a next one. */
export function guestPageReply(rows: readonly GuestRow[], limit: number): GuestPage {
  const page = rows.slice(0, limit);
  return {
    guestList: page.map(guestReply),
    guestListNext: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

function guestReply(ticket: GuestRow): Guest {
  return {
    email: ticket.buyerEmail,
    confirmationNumber: ticket.confirmationNumber,
    ticketScanned: ticket.scannedAt !== null,
    state: guestState(ticket),
    ticketName: ticket.ticketName,
    ticketPrice: dollarsOf(ticket.priceCents),
  };
}

export function exportedGuest(ticket: ExportedRow): ExportedGuest {
  return { ...guestReply(ticket), scannedAt: ticket.scannedAtThere, boughtAt: ticket.issuedAtThere };
}

/** Somebody who is in stays scanned: that is what the door and the list are about. */
function guestState({ state, disputedAt }: Pick<GuestRow, 'state' | 'disputedAt'>): GuestState {
  return disputedAt !== null && state === 'valid' ? 'disputed' : state;
}

function factsOf({ event, types, photos }: EventParts) {
  return {
    eventId: event.id,
    title: event.title,
    description: event.description,
    street: event.street,
    city: event.city,
    state: event.state,
    postalCode: event.postalCode,
    timezone: event.timezone,
    startDate_startTime: event.startsAt.toISOString(),
    endDate_endTime: event.endsAt.toISOString(),
    latitude: event.latitude,
    longitude: event.longitude,
    eventPhotos: photos,
    tickets: types.map((type) => ({ ...typeFacts(type), available: shownAvailability(leftOf(type)) })),
    ...(event.salesStartAt && { salesStartAt: event.salesStartAt.toISOString() }),
    ...(event.buyersPerMinute && { buyersPerMinute: event.buyersPerMinute }),
  };
}

type TypeRow = EventParts['types'][number];

function typeFacts(type: TypeRow) {
  return {
    ticketId: type.id,
    ticketName: type.name,
    ticketDescription: type.description,
    ticketPrice: dollarsOf(type.priceCents),
    ticketQuantity: type.quantity,
  };
}

const leftOf = (type: TypeRow) => type.quantity - type.reserved;

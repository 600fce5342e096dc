/** The screen of an event's guests: the list by name, one guest, and the list on paper. */
import type * as contract from '#contract/app/sales/guest-table.ts';
import { guestActions } from '#contract/app/sales/guest-table.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { dollarsOf } from '#domain/money.ts';
import { hasOptions, shownAnswers, YES_NO } from '#domain/sales/guest-form.ts';
import { GUESTS_PER_SHEET } from '#domain/sales/guest-list.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { eventRow } from '#server/events/events.sql.ts';
import { questionsEverAsked } from '#server/events/guest-form/guest-form.sql.ts';
import { detailsOfTickets } from '#server/orders/details/order-guests.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import {
  guestListCounts,
  guestPageEnds,
  guestsByName,
  guestsToPrint,
  type ListedRow,
  listedGuest,
  ticketsOfOrder,
  typesOfGuests,
} from './guest-table.sql.ts';
import { timelineOf } from './guest-timeline.sql.ts';

const ROWS_PER_PAGE = 100;
/** A page between two ends grows by what is sold meanwhile. */
const ROWS_PER_PAGE_MAX = 2 * ROWS_PER_PAGE;
const PRINTED_PER_PAGE = 25 * GUESTS_PER_SHEET;

export async function readGuestRows(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { after, until, ...list }: InputOf<typeof contract.guestRows>,
): Promise<ReplyOf<typeof contract.guestRows>> {
  await authorizeEvent({ db }, actor, 'guest.view', list.eventId);
  const limit = after || until ? ROWS_PER_PAGE_MAX : ROWS_PER_PAGE;
  const rows = await guestsByName(db, list, { after: after ?? null, until: until ?? null, limit });
  return { guests: rows.map(guestOf) };
}

export async function readGuestPageEnds(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { after, ...list }: InputOf<typeof contract.guestPageEnds>,
): Promise<ReplyOf<typeof contract.guestPageEnds>> {
  await authorizeEvent({ db }, actor, 'guest.view', list.eventId);
  return guestPageEnds(db, list, after, ROWS_PER_PAGE);
}

export async function readGuestTable(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  list: InputOf<typeof contract.guestTable>,
): Promise<ReplyOf<typeof contract.guestTable>> {
  await authorizeEvent({ db }, actor, 'guest.view', list.eventId);
  const [event, types, questions, counts] = await Promise.all([
    eventRow(db, list.eventId),
    typesOfGuests(db, list.eventId),
    questionsEverAsked(db, list.eventId),
    guestListCounts(db, list),
  ]);
  if (!event) throw new AppError('event.not-found');
  return {
    title: event.title,
    timezone: event.timezone,
    may: guestActions.filter((action) => isAllowed(actor, action)),
    types,
    questions: questions.map(({ id, label, kind, options }) => ({
      questionId: id,
      label,
      answers: hasOptions(kind) ? [...options] : kind === 'yes-no' ? [...YES_NO] : [],
    })),
    counts,
  };
}

export async function readGuestDetails(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { eventId, ticketId }: InputOf<typeof contract.guestDetails>,
): Promise<ReplyOf<typeof contract.guestDetails>> {
  await authorizeEvent({ db }, actor, 'guest.view', eventId);
  const guest = await listedGuest(db, eventId, ticketId);
  if (!guest) throw new AppError('guests.unknown');
  const { orderId, timezone, isEventCancelled } = guest;
  const [order, [details], timeline] = await Promise.all([
    ticketsOfOrder(db, eventId, orderId),
    detailsOfTickets(db, [{ eventId, id: ticketId }]),
    timelineOf(db, { eventId, orderId, ticketIds: [ticketId] }),
  ]);
  return {
    ...guestOf(guest),
    orderId,
    isTransferred: guest.isTransferred,
    doorNote: details?.doorNote ?? '',
    price: dollarsOf(guest.priceCents),
    answers: details ? shownAnswers(details.questions, details.answers) : [],
    timezone,
    isEventCancelled,
    order,
    timeline: timeline.map(({ what, at, by }) => ({ what, at: at.toISOString(), by })),
  };
}

/** Its first page is a print in the audit log. */
export async function printGuests(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  actor: Actor,
  { after, ...list }: InputOf<typeof contract.printedGuests>,
): Promise<ReplyOf<typeof contract.printedGuests>> {
  const { eventId } = list;
  await authorizeEvent({ db }, actor, 'guest.view', eventId);
  const event = await eventRow(db, eventId);
  if (!event) throw new AppError('event.not-found');
  if (after === undefined) {
    await consumeLimit(rateLimiter, 'export-guests', actor.userId);
    await recordAuditEvent(db, { action: 'print-guests', by: actor, subject: eventId, eventId, at: clock.now() });
  }
  const rows = await guestsToPrint(db, list, { after: after ?? null, limit: PRINTED_PER_PAGE });
  return {
    title: event.title,
    timezone: event.timezone,
    startsAt: event.startsAt.toISOString(),
    guests: rows,
    next: rows.length === PRINTED_PER_PAGE ? (rows.at(-1)?.ticketId ?? null) : null,
  };
}

const guestOf = ({ id, name, buyerEmail, confirmationNumber, ticketName, state, scannedAt, channel }: ListedRow) => ({
  ticketId: id,
  name,
  email: isErased(buyerEmail) ? '' : buyerEmail,
  confirmationNumber,
  ticketName,
  state,
  scannedAt: scannedAt?.toISOString() ?? null,
  channel,
});

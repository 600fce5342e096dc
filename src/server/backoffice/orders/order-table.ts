/** The list of an event's orders. */
import type * as contract from '#contract/app/sales/orders.ts';
import { orderActions } from '#contract/app/sales/orders.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { dollarsOf } from '#domain/money.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { publicEventRow } from '#server/events/events.sql.ts';
import { reservedUntil } from '#server/orders/checkout-page/checkout-page.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { type ListedOrderRow, orderListCounts, orderPageEnds, ordersNewestFirst } from './order-table.sql.ts';

const ROWS_PER_PAGE = 100;
/** A page between two ends grows where orders enter a filter meanwhile. */
const ROWS_PER_PAGE_MAX = 2 * ROWS_PER_PAGE;

export async function readOrderRows(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { after, until, ...list }: InputOf<typeof contract.orderRows>,
): Promise<ReplyOf<typeof contract.orderRows>> {
  await authorizeEvent({ db }, actor, 'guest.view', list.eventId);
  const limit = after || until ? ROWS_PER_PAGE_MAX : ROWS_PER_PAGE;
  const rows = await ordersNewestFirst(db, list, { after: after ?? null, until: until ?? null, limit });
  return { orders: rows.map((row) => orderReply(actor, row)) };
}

export async function readOrderPageEnds(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { after, ...list }: InputOf<typeof contract.orderPageEnds>,
): Promise<ReplyOf<typeof contract.orderPageEnds>> {
  await authorizeEvent({ db }, actor, 'guest.view', list.eventId);
  return orderPageEnds(db, list, after, ROWS_PER_PAGE);
}

export async function readOrderTable(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  list: InputOf<typeof contract.orderTable>,
): Promise<ReplyOf<typeof contract.orderTable>> {
  await authorizeEvent({ db }, actor, 'guest.view', list.eventId);
  const [event, counts] = await Promise.all([publicEventRow(db, list.eventId), orderListCounts(db, list)]);
  if (!event) throw new AppError('event.not-found');
  const { title, timezone } = event;
  return { title, timezone, may: orderActions.filter((action) => isAllowed(actor, action)), counts };
}

export function orderReply(actor: Actor, row: ListedOrderRow) {
  const { orderId, state, name, buyerEmail, tickets, totalCents, createdAt, paidAt, now } = row;
  const endsAt = reservationEnd(row);
  return {
    orderId,
    name,
    email: buyerEmail === null || isErased(buyerEmail) ? '' : buyerEmail,
    tickets,
    total: isAllowed(actor, 'sales.view') ? dollarsOf(totalCents) : null,
    at: (paidAt ?? createdAt).toISOString(),
    state,
    reservedUntil: state === 'checkout' && now < endsAt ? endsAt.toISOString() : null,
  };
}

/** On the order's own page it is held for less long than on Stripe's. */
function reservationEnd({ totalCents, createdAt, formVersion, detailsAt, reservationExpiresAt }: ListedOrderRow): Date {
  const isOnOwnPage = totalCents === 0 || (formVersion !== null && detailsAt === null);
  return isOnOwnPage ? reservedUntil({ createdAt, totalCents }) : reservationExpiresAt;
}

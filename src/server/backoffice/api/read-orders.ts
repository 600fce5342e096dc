import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type * as orders from '#contract/v1/orders.ts';
import type * as tickets from '#contract/v1/tickets.ts';
import { taxOf } from '#domain/taxes/included-tax.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { isUuid } from '#server/platform/ids.ts';
import { linesOf, type OrderRow, orderOf, ordersFrom, type TicketRow, ticketOf, ticketsFrom } from './api.sql.ts';
import { cursorOf, pageOf, readCursor } from './cursor.ts';
import { eventsToRead } from './events-to-read.ts';

type Reading = Pick<Deps, 'db'>;

export async function listOrders(
  { db }: Reading,
  key: KeyHolder,
  { event_id, after, limit }: InputOf<typeof orders.listOrders>,
): Promise<ReplyOf<typeof orders.listOrders>> {
  const eventIds = await eventsToRead({ db }, key, 'guest.view', event_id);
  const found = await ordersFrom(db, eventIds, { after: readCursor('orders', after), limit: limit + 1 });
  const { page, next } = pageOf(found, limit, ({ id }) => cursorOf('orders', id));
  return { data: await orderReplies({ db }, page), next_cursor: next };
}

export async function readOrder(
  { db }: Reading,
  key: KeyHolder,
  orderId: string,
): Promise<ReplyOf<typeof orders.readOrder>> {
  const eventIds = await eventsToRead({ db }, key, 'guest.view');
  const found = isUuid(orderId) ? await orderOf(db, eventIds, orderId) : undefined;
  const [reply] = found ? await orderReplies({ db }, [found]) : [];
  if (!reply) throw new AppError('orders.unknown');
  return reply;
}

export async function listTickets(
  { db }: Reading,
  key: KeyHolder,
  { event_id, order_id, after, limit }: InputOf<typeof tickets.listTickets>,
): Promise<ReplyOf<typeof tickets.listTickets>> {
  const eventIds = await eventsToRead({ db }, key, 'guest.view', event_id);
  const place = readCursor('tickets', after);
  if (order_id !== undefined && !isUuid(order_id)) return { data: [], next_cursor: null };
  const found = await ticketsFrom(db, eventIds, { orderId: order_id ?? null, after: place, limit: limit + 1 });
  const { page, next } = pageOf(found, limit, ({ id }) => cursorOf('tickets', id));
  return { data: page.map(ticketReply), next_cursor: next };
}

export async function readTicket(
  { db }: Reading,
  key: KeyHolder,
  ticketId: string,
): Promise<ReplyOf<typeof tickets.readTicket>> {
  const eventIds = await eventsToRead({ db }, key, 'guest.view');
  const found = isUuid(ticketId) ? await ticketOf(db, eventIds, ticketId) : undefined;
  if (!found) throw new AppError('check-in.unknown-ticket');
  return ticketReply(found);
}

export async function orderReplies(
  { db }: Reading,
  found: readonly OrderRow[],
): Promise<ReplyOf<typeof orders.readOrder>[]> {
  const lines = await linesOf(db, found);
  return found.map((order) => {
    const own = lines.filter(({ orderId }) => orderId === order.id);
    return {
      id: order.id,
      event_id: order.eventId,
      state: order.state === 'needs-review' ? 'needs_review' : order.state,
      buyer: { name: order.buyerName, email: addressOf(order.buyerEmail) },
      total_cents: order.totalCents,
      discount_cents: own.reduce((sum, { discountCents, quantity }) => sum + discountCents * quantity, 0),
      tax_cents: taxOf(own, { rate: order.taxRate }),
      lines: own.map((line) => ({
        id: line.id,
        ticket_type_id: line.ticketTypeId,
        name: line.ticketName,
        quantity: line.quantity,
        list_price_cents: line.listPriceCents,
        discount_cents: line.discountCents,
        unit_price_cents: line.unitPriceCents,
        source: line.source,
        promo_code: line.promoCode,
      })),
      created_at: order.createdAt.toISOString(),
      paid_at: order.paidAt?.toISOString() ?? null,
    };
  });
}

export const ticketReply = (ticket: TicketRow) => ({
  id: ticket.id,
  event_id: ticket.eventId,
  order_id: ticket.orderId,
  ticket_type_id: ticket.ticketTypeId,
  ticket_type: ticket.ticketName,
  confirmation_number: ticket.confirmationNumber,
  state: ticket.state,
  is_disputed: ticket.disputedAt !== null,
  holder: { name: ticket.name, email: addressOf(ticket.buyerEmail) },
  price_cents: ticket.priceCents,
  issued_at: ticket.issuedAt.toISOString(),
  checked_in_at: ticket.scannedAt?.toISOString() ?? null,
});

/** Null for a guest without an address, and for one who was erased. */
const addressOf = (email: string | null) => (email === null || isErased(email) ? null : email);

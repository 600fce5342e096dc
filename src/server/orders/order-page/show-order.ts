/** What the page of a paid order shows. */
import type { Confirmation, OrderDetails } from '#contract/app/checkout.ts';
import { isMoved } from '#domain/event-schedule.ts';
import { areNamesOpen, namesOpenUntil, shownAnswers } from '#domain/sales/guest-form.ts';
import { correctableUntil, denyTransfers, TRANSFERS_MAX } from '#domain/sales/ticket-transfers.ts';
import { isSettled, settlesAt } from '#domain/settlement.ts';
import { taxOf } from '#domain/taxes/included-tax.ts';
import { type TicketState } from '#domain/tickets.ts';
import { addressLine, firstName } from '#messages/format.ts';
import { askedForm } from '#server/events/guest-form/asked-form.ts';
import { coverReply, listPhotos } from '#server/events/photos/list-photos.ts';
import { eventAsOf, findOrderTickets, findReceiptLines, taxOfOrder } from '#server/orders/core/orders.sql.ts';
import { guestsOfOrder } from '#server/orders/details/order-guests.sql.ts';
import { type FoundOrder, type HeldTicket, isShownWith } from '#server/orders/find-by-link.ts';
import { orderToken, ticketToken } from '#server/orders/order-link.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';

/** The link stays in browser histories and inboxes, so it expires. */
const OPEN_AFTER_END_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

export const openUntil = ({ latestEndsAt }: Pick<FoundOrder, 'latestEndsAt'>): Date =>
  new Date(latestEndsAt.getTime() + OPEN_AFTER_END_DAYS * DAY);

type ShownOrder = Pick<Confirmation, 'status' | 'confirmationData' | 'order' | 'details'>;

export type PaidOrder = FoundOrder & { paidAt: Date };

/** @param held shows its holder that ticket, and nothing of the others or of the payment */
export async function showOrder(
  deps: Pick<Deps, 'db' | 'appSecret' | 'publicUrl' | 'clock' | 'wallets'>,
  order: PaidOrder,
  held: HeldTicket | null = null,
): Promise<ShownOrder> {
  const [all, lines, tax, before, photosOf, asked] = await Promise.all([
    findOrderTickets(deps.db, order),
    findReceiptLines(deps.db, order),
    taxOfOrder(deps.db, order),
    eventAsOf(deps.db, order, order.paidAt),
    listPhotos(deps, [order.eventId]),
    guestsOf(deps.db, order),
  ]);
  const venue = { ...order, state: order.region };
  const isComp = order.compBatchId !== null;
  const now = deps.clock.now();
  const tickets = held ? all.filter(isShownWith(held)) : all;
  const usable = tickets.filter(({ state }) => !isEnded(state));
  const email = held ? held.buyerEmail : order.buyerEmail;
  return {
    status: usable.length === 0 ? 'refunded' : 'confirmed',
    confirmationData: usable
      .filter(isShownWith(held))
      .map(({ ticketName, confirmationNumber, position, of, isAddOn, priceCents, scannedAt, disputedAt }) => ({
        ticketName,
        confirmationNumber,
        position,
        of,
        priceCents,
        ...(isAddOn && { isAddOn }),
        ...(scannedAt && { scannedAt: scannedAt.toISOString() }),
        ...(disputedAt && { isDisputed: true }),
        ...asked.ofTicket(position),
      })),
    order: {
      eventId: order.eventId,
      title: order.title,
      city: order.city,
      timezone: order.timezone,
      startDate_startTime: order.startsAt.toISOString(),
      email: email === null || isErased(email) ? '' : email,
      ...(!held && order.buyerName && { firstName: firstName(order.buyerName) }),
      openUntil: openUntil(order).toISOString(),
    },
    details: {
      token: held ? ticketToken(deps, { eventId: order.eventId, ticketId: held.id, ...held }) : orderToken(deps, order),
      street: order.street,
      state: order.region,
      postalCode: order.postalCode,
      ...(order.venueName && { venueName: order.venueName }),
      endDate_endTime: order.endsAt.toISOString(),
      checkInOpensAt: order.checkInOpensAt?.toISOString() ?? null,
      isCancelled: order.cancelledAt !== null,
      movedFrom:
        before && before.startsAt.getTime() !== order.startsAt.getTime() ? before.startsAt.toISOString() : null,
      movedFromAddress: before && isMoved(before, venue) ? addressLine(before) : null,
      ...(order.hasPageChanged && { hasPageChanged: true }),
      ...coverReply(photosOf(order.eventId)),
      wallets: (['apple', 'google'] as const).filter((name) => deps.wallets[name]),
      refundsUntil: settlesAt(order.latestEndsAt).toISOString(),
      // Comps are ended by the organizer.
      areRefundsOpen: !held && !isComp && !isSettled(order.latestEndsAt, now),
      ...(isComp && { isComp }),
      endedTickets: tickets.flatMap((ticket) => endedTicket(ticket, held)),
      ...(mayTransfer(order, held, now) && { transfersUntil: order.startsAt.toISOString() }),
      paidAt: order.paidAt.toISOString(),
      ...(asked.asksNames !== 'off' && { asksNames: asked.asksNames }),
      ...(held
        ? { isHolder: true, lines: [], totalCents: 0 }
        : {
            lines,
            totalCents: order.totalCents,
            ...(tax && { includedTax: { ...tax, cents: taxOf(lines, tax) } }),
            ...whatBuyersMayChange(order, asked, now),
          }),
    },
  };
}

const mayTransfer = (order: FoundOrder, held: HeldTicket | null, now: Date): boolean =>
  denyTransfers(order, now) === null && (held?.transferredCount ?? 0) < TRANSFERS_MAX;

function whatBuyersMayChange(order: PaidOrder, { asksNames, ofOrder }: Asked, now: Date) {
  const addressUntil = correctableUntil(order);
  return {
    ...(addressUntil && now < addressUntil && { addressUntil: addressUntil.toISOString() }),
    ...(asksNames !== 'off' && areNamesOpen(order, now) && { namesUntil: namesOpenUntil(order).toISOString() }),
    ...(ofOrder.length > 0 && { answers: ofOrder }),
  };
}

type Asked = Awaited<ReturnType<typeof guestsOf>>;

/** Who uses the tickets, and what was answered. */
async function guestsOf(db: Db, { eventId, orderId, formVersion }: FoundOrder) {
  const isAsked = formVersion !== null;
  const form = isAsked ? await askedForm(db, { eventId, version: formVersion }) : undefined;
  const guests = isAsked ? await guestsOfOrder(db, { eventId, orderId }) : [];
  const answersAt = (position: number) =>
    shownAnswers(form?.questions ?? [], guests.find((guest) => guest.position === position)?.answers ?? {});
  return {
    asksNames: form?.asksNames ?? 'off',
    ofOrder: answersAt(0),
    ofTicket(position: number) {
      const name = guests.find((guest) => guest.position === position)?.name;
      const answers = answersAt(position);
      return { ...(name && { guestName: name }), ...(answers.length > 0 && { answers }) };
    },
  };
}

type EndedTicket = OrderDetails['endedTickets'][number];
type Ticket = Awaited<ReturnType<typeof findOrderTickets>>[number];

const isEnded = (state: TicketState): state is 'refunding' | 'refunded' | 'void' =>
  state !== 'valid' && state !== 'scanned';

function endedTicket(ticket: Ticket, held: HeldTicket | null): EndedTicket[] {
  const { ticketName, position, of, isAddOn, priceCents } = ticket;
  const state = isEnded(ticket.state) ? ticket.state : 'transferred';
  if (state === 'transferred' && isShownWith(held)(ticket)) return [];
  return [{ state, ticketName, position, of, priceCents: held ? 0 : priceCents, ...(isAddOn && { isAddOn }) }];
}

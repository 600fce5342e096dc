/** One order, as its members see it. */
import type { orderDetails } from '#contract/app/sales/orders.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { ticketFeeCents } from '#domain/fees.ts';
import { dollarsOf } from '#domain/money.ts';
import { refundCostsCents } from '#domain/payouts/refund-costs.ts';
import { shownAnswers } from '#domain/sales/guest-form.ts';
import { denyRefund } from '#domain/settlement.ts';
import { SOLD_STATES } from '#domain/tickets.ts';
import { timelineOf } from '#server/backoffice/guests/guest-timeline.sql.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { askedForm } from '#server/events/guest-form/asked-form.ts';
import { findOrderTickets } from '#server/orders/core/orders.sql.ts';
import { guestsOfOrder } from '#server/orders/details/order-guests.sql.ts';
import { hasOpenDispute } from '#server/payments/refunds/has-open-dispute.ts';
import { refundedPayment } from '#server/payments/refunds/refund-costs.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { emailsToBuyer, eventOfOrder, linesOfOrder, paidTicketsOf, refundsOfOrder } from './order-details.sql.ts';
import { type ListedOrderRow, listedOrder } from './order-table.sql.ts';
import { orderReply } from './order-table.ts';

type Details = ReplyOf<typeof orderDetails>;
type Event = NonNullable<Awaited<ReturnType<typeof eventOfOrder>>>;
type Ticket = Awaited<ReturnType<typeof findOrderTickets>>[number];
type Refund = Awaited<ReturnType<typeof refundsOfOrder>>[number];

export async function readOrder(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  ref: InputOf<typeof orderDetails>,
): Promise<Details> {
  await authorizeEvent({ db }, actor, 'guest.view', ref.eventId);
  const [row, event] = await Promise.all([listedOrder(db, ref), eventOfOrder(db, ref)]);
  if (!row || !event) throw new AppError('orders.unknown');
  const [lines, tickets, refunds, emails, answersAt, isDisputed] = await Promise.all([
    linesOfOrder(db, ref),
    findOrderTickets(db, ref),
    refundsOfOrder(db, ref),
    emailsToBuyer(db, ref),
    answersOf(db, ref, row),
    hasOpenDispute(db, ref),
  ]);
  const timeline = await timelineOf(db, { ...ref, ticketIds: tickets.map(({ id }) => id) });
  const positionOf = (ticketId: string | null) => tickets.find(({ id }) => id === ticketId)?.position ?? null;
  const isOpen = !isDisputed && !event.cancelledAt && !event.payoutRequestedAt && row.compBatchId === null;
  const isCharged = event.chargedCents > 0 && event.orderState !== 'reserved';
  return {
    ...orderReply(actor, row),
    timezone: event.timezone,
    isEventCancelled: event.cancelledAt !== null,
    page: pageOf(event),
    lines: lines.map(({ unitPriceCents, discountCents, ...line }) => ({
      ...line,
      unitPrice: dollarsOf(unitPriceCents),
      discount: dollarsOf(discountCents),
    })),
    tickets: tickets.map((ticket) => ({
      ...ticketReply(ticket),
      ...answersAt(ticket.position),
      isRefundable: isOpen && denyRefund({ ...ticket, eventEndsAt: event.latestEndsAt }, row.now) === null,
    })),
    answers: answersAt(0).answers,
    payment:
      isCharged && isAllowed(actor, 'sales.view') ? await paymentOf(db, ref, { row, event, tickets, refunds }) : null,
    refunds: refunds.map(({ id, ticketId, cents, createdAt, reason, state, note }) => ({
      refundId: id,
      position: positionOf(ticketId),
      amount: dollarsOf(cents),
      reason,
      state,
      note,
      at: createdAt.toISOString(),
    })),
    timeline: timeline.map(({ what, at, by, ticketId }) => ({
      what,
      by,
      position: tickets.length > 1 ? positionOf(ticketId) : null,
      at: at.toISOString(),
    })),
    emails: emails.map(({ kind, at }) => ({ kind, at: at.toISOString() })),
  };
}

const pageOf = ({ pageVersion: version, pageSince: since, hasPageChanged: hasChanged }: Event): Details['page'] =>
  version === null || since === null ? null : { version, since: since.toISOString(), hasChanged };

const ticketReply = ({ id, position, ticketName, confirmationNumber, ...ticket }: Ticket) => ({
  ticketId: id,
  position,
  ticketName,
  confirmationNumber,
  state: ticket.disputedAt && ticket.state === 'valid' ? ('disputed' as const) : ticket.state,
  scannedAt: ticket.scannedAt?.toISOString() ?? null,
  price: dollarsOf(ticket.priceCents),
  isTransferred: ticket.transferredCount > 0,
});

/** By position; 0 has those of the order. */
async function answersOf(db: Db, ref: { eventId: string; orderId: string }, { formVersion: version }: ListedOrderRow) {
  const [form, guests] = await Promise.all([
    version === null ? null : askedForm(db, { eventId: ref.eventId, version }),
    guestsOfOrder(db, ref),
  ]);
  return (position: number) => {
    const guest = guests.find((one) => one.position === position);
    return { name: guest?.name ?? null, answers: shownAnswers(form?.questions ?? [], guest?.answers ?? {}) };
  };
}

interface Charged {
  row: ListedOrderRow;
  event: Event;
  tickets: readonly Ticket[];
  refunds: readonly Refund[];
}

async function paymentOf(
  db: Db,
  ref: { eventId: string; orderId: string },
  { row, event, tickets, refunds }: Charged,
): Promise<NonNullable<Details['payment']>> {
  const [paidTickets, costly] = await Promise.all([paidTicketsOf(db, ref.eventId), refundedPayment(db, ref)]);
  const refundedCents = sum(refunds.filter(({ state }) => state !== 'refused' && state !== 'restored'));
  const sold = tickets.filter(({ state }) => SOLD_STATES.some((one) => one === state));
  const feesCents = sold.reduce(
    (fees, { priceCents }) => fees + ticketFeeCents(priceCents, paidTickets, event.feeTerms),
    0,
  );
  const costsCents = costly ? refundCostsCents([{ payments: 1, ...costly }]) : 0;
  // While a bank or an operator decides, no one knows.
  const isSettled = event.orderState === 'paid' && row.state !== 'disputed';
  return {
    charged: dollarsOf(event.chargedCents),
    refunded: dollarsOf(refundedCents),
    fees: dollarsOf(feesCents),
    refundCosts: dollarsOf(costsCents),
    kept: isSettled ? dollarsOf(event.chargedCents - refundedCents - feesCents - costsCents) : null,
    bearsCosts: costly ? { cardFee: dollarsOf(costly.feeCents), refunded: dollarsOf(costly.refundedCents) } : null,
  };
}

const sum = (rows: readonly { cents: number }[]) => rows.reduce((total, { cents }) => total + cents, 0);

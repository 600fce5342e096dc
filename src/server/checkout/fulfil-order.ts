/**
 * The only way from a paid order to its tickets. The webhook, the confirmation page and the settling job
 * all come here, at any time and any number of times; the locked order row lets one of them through.
 */
import { type Db, inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { recordCardFee, recordSale, recordUnfillableSale } from '#server/ledger/record-sale.ts';
import { queueMail } from '#server/mail/queue-mail.ts';
import { isPaidOut } from '#server/payouts/is-paid-out.ts';
import type { CheckoutSession } from '#server/ports/card-processor.ts';
import { refundUnfillableOrder } from '#server/refunds/refund-unfillable-order.ts';
import {
  giveBackTickets,
  linesOf,
  lockEventOnSale,
  lockOrder,
  type OrderRef,
  reserveTickets,
  setOrderState,
} from './checkout.sql.ts';
import { issueTickets } from './issue-tickets.ts';

interface Payment extends OrderRef {
  cents: number;
  at: Date;
}

export async function fulfilOrder(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  order: OrderRef,
  session: CheckoutSession,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, order.eventId);
    const locked = await lockOrder(tx, order);
    if (!event || !locked) return;
    if (!isPaymentOf(locked, order, session)) {
      log.error({ orderId: order.orderId, sessionId: session.sessionId }, 'a paid session does not match its order');
      return;
    }

    const payment = { eventId: order.eventId, orderId: order.orderId, cents: session.totalCents, at: event.now };
    if (locked.state === 'held' || locked.state === 'expired') {
      const isOver = event.cancelledAt !== null || (await isPaidOut({ db: tx }, order.eventId));
      const canFill = !isOver && (locked.state === 'held' || (await holdAgain(tx, order)));
      if (!canFill && locked.state === 'held') await giveBackAll(tx, order);
      await (canFill ? sell(tx, payment, session) : giveMoneyBack(tx, payment, session));
    }
    // The fee is often known only after the payment, so it is looked for on every visit.
    if (session.feeCents !== null) await recordCardFee(tx, movementOf(payment, session.feeCents));
  });
}

function isPaymentOf(
  order: { totalCents: number; sessionId: string | null },
  { orderId }: OrderRef,
  session: CheckoutSession,
): boolean {
  return (
    session.orderId === orderId &&
    session.totalCents === order.totalCents &&
    session.currency === 'usd' &&
    session.buyerEmail !== null
  );
}

/** A payment may arrive after the hold was given back: then it takes tickets for all of its lines, or for none. */
async function holdAgain(tx: Db, order: OrderRef): Promise<boolean> {
  const taken: { ticketTypeId: string; quantity: number }[] = [];
  for (const line of await linesOf(tx, order)) {
    if (await reserveTickets(tx, order.eventId, line.ticketTypeId, line.quantity)) {
      taken.push(line);
      continue;
    }
    for (const back of taken) await giveBackTickets(tx, order.eventId, back.ticketTypeId, back.quantity);
    return false;
  }
  return true;
}

async function giveBackAll(tx: Db, order: OrderRef): Promise<void> {
  for (const line of await linesOf(tx, order)) {
    await giveBackTickets(tx, order.eventId, line.ticketTypeId, line.quantity);
  }
}

async function sell(tx: Db, payment: Payment, session: CheckoutSession): Promise<void> {
  const buyerEmail = session.buyerEmail ?? '';
  await setOrderState(tx, payment, {
    state: 'paid',
    paymentId: session.paymentId,
    buyerEmail,
    paidAt: payment.at,
  });
  await issueTickets(tx, payment, buyerEmail, payment.at);
  await recordSale(tx, movementOf(payment));
  await queueMail(tx, {
    kind: 'tickets',
    subjectId: payment.orderId,
    toAddress: buyerEmail,
    params: { eventId: payment.eventId },
    now: payment.at,
  });
}

/** Paid, but there is nothing left to hand out, or the event is closed: the whole sum goes back by itself. */
async function giveMoneyBack(tx: Db, payment: Payment, session: CheckoutSession): Promise<void> {
  await setOrderState(tx, payment, {
    state: 'unfillable',
    paymentId: session.paymentId,
    buyerEmail: session.buyerEmail,
  });
  if (payment.cents === 0) return;

  await recordUnfillableSale(tx, movementOf(payment));
  await refundUnfillableOrder(tx, payment);
}

function movementOf({ eventId, orderId, cents, at }: Payment, amountCents = cents) {
  return { eventId, subjectId: orderId, cents: amountCents, at };
}

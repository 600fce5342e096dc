/** Brings an order to where the card company says it is: paid, over, or still open. */

import type { OrderRef } from '#domain/order.ts';
import { recordCardFee } from '#server/ledger/record-movements.ts';
import { lockEventOnSale, sessionIdOf, takeLapsedOrders } from '#server/orders/orders.sql.ts';
import { giveBackHolds } from '#server/orders/release-expired.ts';
import { releaseHold } from '#server/orders/release-reservation.ts';
import { severalAtATime } from '#server/platform/concurrency.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { endCheckout } from './close-checkouts.ts';
import { fulfilOrder } from './fulfill-order.ts';

type SettleDeps = Pick<Deps, 'db' | 'cards' | 'log'>;

/** Answers the state of the payment page, or `null` when the order has none. */
export async function settleOrder(deps: SettleDeps, order: OrderRef): Promise<CheckoutSession['state'] | null> {
  const sessionId = await sessionIdOf(deps.db, order);
  const session = sessionId && (await deps.cards.readCheckout(sessionId));
  if (!session) return null;
  await applySession(deps, order, session);
  return session.state;
}

export async function applySession(deps: SettleDeps, order: OrderRef, session: CheckoutSession): Promise<void> {
  if (session.state === 'expired') return releaseHold(deps, order);
  if (session.state === 'complete' && session.isPaid) return fulfilOrder(deps, order, session);
}

const AT_MOST = 200;
/** The card company's answers take long; so many under way stay below what it allows in a second. */
const AT_ONCE = 8;
/** The job comes again every minute. */
const LONGEST_MS = 45_000;

/** Ends the holds that are over. Those with a payment page end there first: their buyers may be paying. */
export async function settleLapsedOrders(deps: Pick<Deps, 'db' | 'cards' | 'log'>, atMost = AT_MOST): Promise<void> {
  await giveBackHolds(deps, { waits: true }).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'holds without a payment page could not be given back'),
  );
  const until = performance.now() + LONGEST_MS;
  const tried = new Set<string>();
  let lapsed = await takeLapsedOrders(deps.db, atMost);
  // Nobody is asked about the same order twice: it may have to wait for its buyer's bank.
  while (lapsed.length > 0 && performance.now() < until && !lapsed.some(({ orderId }) => tried.has(orderId))) {
    for (const { orderId } of lapsed) tried.add(orderId);
    await endAll(deps, lapsed);
    lapsed = await takeLapsedOrders(deps.db, atMost);
  }
}

async function endAll(deps: Pick<Deps, 'db' | 'cards' | 'log'>, orders: readonly OrderRef[]): Promise<void> {
  await severalAtATime(orders, AT_ONCE, async (order) => {
    try {
      await endCheckout(deps, order);
    } catch (error) {
      // One order that the card company cannot answer for must not keep the others' tickets locked.
      deps.log.warn({ err: error, orderId: order.orderId }, 'a lapsed order could not be settled');
    }
  });
}

/** Writes down what the card company kept of an order's payment, once it says so. */
export async function recordPaymentFee(
  { db }: Pick<Deps, 'db'>,
  { eventId, orderId }: OrderRef,
  cents: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, eventId);
    if (event) await recordCardFee(tx, { eventId, subjectId: orderId, cents, at: event.now });
  });
}

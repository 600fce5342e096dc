/** Settles orders whose checkout was completed without a webhook reaching us. */

import { applySession } from '#server/payments/checkout/fulfill-order.ts';
import { openDiscrepancy, resolveUnknownOrders } from '#server/payments/discrepancies/discrepancies.sql.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isUuid } from '#server/platform/ids.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { inPages } from './in-pages.ts';
import { rebuildOrder } from './rebuild-order.ts';
import { ordersNamed } from './reconciliation.sql.ts';
import { trySettlePayment } from './settle-payment.ts';

const PAGE_SIZE = 100;
const SETTLED_MAX = 1000;

type CheckoutDeps = Parameters<typeof trySettlePayment>[0] & Pick<Deps, 'balanceTransactions'>;
type OurSession = CheckoutSession & { eventId: string; orderId: string };

/** @returns whether all checkouts were processed; the next run skips the settled ones and continues */
export async function settleCompletedCheckouts(
  deps: CheckoutDeps,
  since: Date,
  maxSettled = SETTLED_MAX,
): Promise<boolean> {
  await resolveUnknownOrders(deps.db);
  let settled = 0;
  for await (const page of inPages(
    deps.balanceTransactions.completedCheckouts(since),
    Math.min(PAGE_SIZE, maxSettled),
  )) {
    if (settled >= maxSettled) {
      deps.log.warn({ settled }, 'reached the limit; the next run continues with the checkouts');
      return false;
    }
    settled += await settlePage(deps, page.filter(isOurs));
  }
  return true;
}

/** @returns how many were newly settled; a second session of an order never is */
async function settlePage(deps: CheckoutDeps, sessions: readonly OurSession[]): Promise<number> {
  const before = await ordersOf(deps, sessions);
  for (const session of sessions) if (!before.has(session.orderId)) await settleUnknownOrder(deps, session);
  const unsettled = sessions.filter((session) => needsSettling(before.get(session.orderId), session));
  if (unsettled.length === 0) return 0;

  for (const session of unsettled) await trySettle(deps, session);
  const after = await ordersOf(deps, unsettled);
  const settled = unsettled.filter((session) => !needsSettling(after.get(session.orderId), session));
  for (const { orderId, sessionId } of settled)
    deps.log.warn({ orderId, sessionId }, 'settled a completed checkout that no webhook had reported');
  return settled.length;
}

async function ordersOf({ db }: CheckoutDeps, sessions: readonly OurSession[]) {
  return new Map((await ordersNamed(db, sessions)).map((order) => [order.orderId, order]));
}

function isOurs(session: CheckoutSession): session is OurSession {
  return session.eventId !== null && session.orderId !== null && isUuid(session.orderId);
}

type Order = Awaited<ReturnType<typeof ordersNamed>>[number];

/** Stripe often reports its fee only after the payment. */
function needsSettling(order: Order | undefined, { isPaid, feeCents }: OurSession): boolean {
  if (!order) return false;
  return order.isSettled ? !order.hasFee && feeCents !== null : isPaid;
}

async function trySettle(deps: CheckoutDeps, session: OurSession): Promise<void> {
  const { eventId, orderId, sessionId } = session;
  try {
    await applySession(deps, { eventId, orderId }, session);
  } catch (error) {
    // One failing order must not block the others.
    deps.log.error({ err: error, orderId, sessionId }, 'could not settle a completed checkout');
  }
}

/** Nothing deletes an order that was paid, so a restore or a fail-over has lost this one. */
async function settleUnknownOrder(deps: CheckoutDeps, session: OurSession): Promise<void> {
  if (!session.isPaid || (await tryRebuild(deps, session))) return;
  const { eventId, orderId, sessionId: subject, totalCents: cents } = session;
  const isNew = await openDiscrepancy(deps.db, { kind: 'unknown-order', subject, eventId, cents });
  if (isNew) deps.log.error({ sessionId: subject, orderId, eventId, cents }, 'a paid checkout names an unknown order');
}

async function tryRebuild(deps: CheckoutDeps, session: OurSession): Promise<boolean> {
  const { eventId, orderId, sessionId, paymentId } = session;
  try {
    const outcome = await rebuildOrder(deps, session);
    if (outcome === 'impossible') return false;
    // What Stripe did with the payment since: refunds and disputes that are lost, too.
    if (paymentId !== null) await trySettlePayment(deps, paymentId);
    return true;
  } catch (error) {
    // One failing order must not block the others.
    deps.log.error({ err: error, eventId, orderId, sessionId }, 'could not rebuild a lost order');
    return false;
  }
}

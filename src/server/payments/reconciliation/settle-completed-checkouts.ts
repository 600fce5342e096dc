/** Finds checkouts that were completed though no notice told us, and settles their orders. */
import { isOrderId } from '#server/orders/find-order.ts';
import { applySession } from '#server/payments/checkout/settle-order.ts';
import { openDiscrepancy, resolveUnknownOrders } from '#server/payments/discrepancies/discrepancies.sql.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { inPages } from './in-pages.ts';
import { ordersNamed } from './reconciliation.sql.ts';

const PAGE = 100;
const SETTLED_AT_MOST = 1000;

type CheckoutDeps = Pick<Deps, 'db' | 'cards' | 'books' | 'log'>;
type OurSession = CheckoutSession & { eventId: string; orderId: string };

/** @returns whether all were looked at; the next run passes over those that are settled by then, and goes on */
export async function settleCompletedCheckouts(
  deps: CheckoutDeps,
  since: Date,
  settledAtMost = SETTLED_AT_MOST,
): Promise<boolean> {
  await resolveUnknownOrders(deps.db);
  let settled = 0;
  for await (const page of inPages(deps.books.completedCheckouts(since), Math.min(PAGE, settledAtMost))) {
    if (settled >= settledAtMost) {
      deps.log.warn({ settled }, 'the next run goes on with the checkouts');
      return false;
    }
    settled += await settlePage(deps, page.filter(isOurs));
  }
  return true;
}

/** @returns how many are settled now that were not: a second session of an order, for one, never is */
async function settlePage(deps: CheckoutDeps, sessions: readonly OurSession[]): Promise<number> {
  const before = await ordersOf(deps, sessions);
  for (const session of sessions) if (!before.has(session.orderId)) await tellUnknown(deps, session);
  const news = sessions.filter((session) => hasNews(before.get(session.orderId), session));
  if (news.length === 0) return 0;

  for (const session of news) await trySettle(deps, session);
  const after = await ordersOf(deps, news);
  const settled = news.filter((session) => !hasNews(after.get(session.orderId), session));
  for (const { orderId, sessionId } of settled)
    deps.log.warn({ orderId, sessionId }, 'a completed checkout that no notice had settled');
  return settled.length;
}

async function ordersOf({ db }: CheckoutDeps, sessions: readonly OurSession[]) {
  return new Map((await ordersNamed(db, sessions)).map((order) => [order.orderId, order]));
}

function isOurs(session: CheckoutSession): session is OurSession {
  return session.eventId !== null && session.orderId !== null && isOrderId(session.orderId);
}

type Order = Awaited<ReturnType<typeof ordersNamed>>[number];

/** What the card company kept is often known only after the payment. */
function hasNews(order: Order | undefined, { isPaid, feeCents }: OurSession): boolean {
  if (!order) return false;
  return order.isSettled ? !order.hasFee && feeCents !== null : isPaid;
}

async function trySettle(deps: CheckoutDeps, session: OurSession): Promise<void> {
  const { eventId, orderId, sessionId } = session;
  try {
    await applySession(deps, { eventId, orderId }, session);
  } catch (error) {
    // One order that cannot be settled must not keep the others from being looked at.
    deps.log.error({ err: error, orderId, sessionId }, 'a completed checkout could not be settled');
  }
}

async function tellUnknown({ db, log }: CheckoutDeps, session: OurSession): Promise<void> {
  const { eventId, orderId, sessionId: subject, totalCents: cents, isPaid } = session;
  if (!isPaid) return;
  const isNew = await openDiscrepancy(db, { kind: 'unknown-order', subject, eventId, cents });
  if (isNew) log.error({ sessionId: subject, orderId, eventId, cents }, 'a paid checkout names an unknown order');
}

/** Brings an order to where the card company says it is: paid, over, or still open. */
import type { Deps } from '#server/deps.ts';
import type { CheckoutSession } from '#server/ports/card-processor.ts';
import { type OrderRef, sessionIdOf } from './checkout.sql.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { releaseHold } from './release-hold.ts';

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

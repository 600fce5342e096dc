/** Brings an order to where the card company says it is: paid, over, or still open. */
import type { Deps } from '#server/deps.ts';
import type { CheckoutSession } from '#server/ports/card-processor.ts';
import { type OrderRef, sessionIdOf } from './checkout.sql.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { releaseHold } from './release-hold.ts';

type SettleDeps = Pick<Deps, 'db' | 'cards' | 'log'>;

export async function settleOrder(deps: SettleDeps, order: OrderRef): Promise<void> {
  const sessionId = await sessionIdOf(deps.db, order);
  const session = sessionId && (await deps.cards.readCheckout(sessionId));
  if (session) await applySession(deps, order, session);
}

export async function applySession(deps: SettleDeps, order: OrderRef, session: CheckoutSession): Promise<void> {
  if (session.state === 'expired') return releaseHold(deps, order);
  if (session.state === 'complete' && session.isPaid) return fulfilOrder(deps, order, session);
}

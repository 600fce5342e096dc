/**
 * Ends an order's payment page, then its hold: the other way round, somebody could pay for tickets that were just sold
 * to another. Whoever paid in the last moment is found to have paid.
 */
import type { Deps } from '#server/deps.ts';
import { type OrderRef, sessionIdOf } from './checkout.sql.ts';
import { releaseHold } from './release-hold.ts';
import { applySession } from './settle-order.ts';

export async function endCheckout(deps: Pick<Deps, 'db' | 'cards' | 'log'>, order: OrderRef): Promise<void> {
  const sessionId = await sessionIdOf(deps.db, order);
  // Without a session nobody was ever sent to a payment page.
  if (sessionId === null) return releaseHold(deps, order);

  const session = await deps.cards.closeCheckout(sessionId);
  if (session) return applySession(deps, order, session);
  // What the card company does not know, nobody can pay there.
  deps.log.error({ orderId: order.orderId, sessionId }, 'the card company does not know the payment page of an order');
  await releaseHold(deps, order);
}

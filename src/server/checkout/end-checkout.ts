/**
 * Ends an order's payment page, then its hold: the other way round, somebody could pay for tickets that were just sold
 * to another. Whoever paid in the last moment is found to have paid.
 */
import type { Deps } from '#server/deps.ts';
import { type OrderRef, sessionIdOf } from './checkout.sql.ts';
import { releaseHold, releaseUnopened } from './release-hold.ts';
import { applySession } from './settle-order.ts';

export async function endCheckout(deps: Pick<Deps, 'db' | 'cards' | 'log'>, order: OrderRef): Promise<void> {
  // Without a session nobody was ever sent to a payment page.
  if ((await sessionIdOf(deps.db, order)) === null && (await releaseUnopened(deps, order))) return;

  const sessionId = await sessionIdOf(deps.db, order);
  if (sessionId === null) return;
  const session = await deps.cards.closeCheckout(sessionId);
  if (session) return applySession(deps, order, session);
  // What the card company does not know, nobody can pay there.
  deps.log.error({ orderId: order.orderId, sessionId }, 'the card company does not know the payment page of an order');
  await releaseHold(deps, order);
}

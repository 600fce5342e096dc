/** A waiting buyer gives the tickets back, and a payment page that came in the same moment ends first. */
import { heldIsPaid, unknownCheckout } from '#contract/checkout.ts';
import type { Deps } from '#server/deps.ts';
import { conflict, notFound } from '#server/refusal.ts';
import { endCheckout } from './end-checkout.ts';
import { isSettled } from './find-order.ts';
import { openHandle } from './held-handle.ts';
import { orderInLine } from './payment-line.sql.ts';

export async function leavePaymentLine(
  deps: Pick<Deps, 'db' | 'cards' | 'log' | 'appSecret'>,
  handle: string,
): Promise<void> {
  const held = openHandle(deps, handle);
  if (!held) throw notFound(unknownCheckout);
  await endCheckout(deps, held);

  const order = await orderInLine(deps.db, held);
  if (order && isSettled(order)) throw conflict(heldIsPaid);
}

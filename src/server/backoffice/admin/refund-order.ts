/** An operator gives back all that arrived for an order that does not match its payment. */
import { quarantineRefusals } from '#contract/checkout-words.ts';
import { actWords, operatorRefusals } from '#contract/stuck.ts';
import { refundQuarantinedOrder } from '#server/payments/checkout/review-order.ts';
import { conflict } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findStuck } from './action-items.sql.ts';
import { wasDone } from './admin.sql.ts';
import { noteAction } from './record-operator-action.ts';

const action = 'refund-order' as const;

export async function refundStuckOrder(
  deps: Parameters<typeof refundQuarantinedOrder>[0] & Pick<Deps, 'db' | 'clock'>,
  { operatorId, subject }: { operatorId: string; subject: string },
): Promise<{ msg: string }> {
  const { db, clock } = deps;
  const order = await findStuck(db, 'order-quarantined', subject);
  if (!order?.eventId) {
    if (await wasDone(db, action, subject)) return { msg: actWords[action].done };
    throw conflict(operatorRefusals.gone);
  }

  if (order.why === 'other-currency') throw conflict(quarantineRefusals['other-currency']);
  const { eventId, cents } = order;
  // Before the act, which repeats itself without harm: nothing is done by hand that is not on record.
  await noteAction(db, {
    operatorId,
    action,
    kind: 'order-quarantined',
    subject,
    eventId,
    cents: cents ?? 0,
    at: clock.now(),
  });
  await refundQuarantinedOrder(deps, { eventId, orderId: subject });
  return { msg: actWords[action].done };
}

/** Operator action: refunds everything received for an order that does not match its payment. */

import { operatorActionMessages } from '#messages/operator.ts';
import { refundReviewed } from '#server/payments/checkout/review-order.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findActionItem } from './action-items.sql.ts';
import { isActionRecorded } from './admin.sql.ts';
import { recordOperatorAction } from './record-operator-action.ts';

const action = 'refund-order' as const;

export async function refundReviewedOrder(
  deps: Parameters<typeof refundReviewed>[0] & Pick<Deps, 'db' | 'clock'>,
  { operatorId, sessionId, subject }: { operatorId: string; sessionId: string; subject: string },
): Promise<{ msg: string }> {
  const { db, clock } = deps;
  const order = await findActionItem(db, 'order-needs-review', subject);
  if (!order?.eventId) {
    if (await isActionRecorded(db, action, subject)) return { msg: operatorActionMessages[action].done };
    throw new AppError('action-item.gone');
  }

  if (order.why === 'other-currency') throw new AppError('review.other-currency');
  const { eventId, cents } = order;
  // Recorded before the refund, which is idempotent: no operator action goes unrecorded.
  const record = {
    operatorId,
    sessionId,
    action,
    kind: 'order-needs-review',
    subject,
    eventId,
    cents: cents ?? 0,
    at: clock.now(),
  };
  await inTransaction(db, (tx) => recordOperatorAction(tx, record));
  await refundReviewed(deps, { eventId, orderId: subject });
  return { msg: operatorActionMessages[action].done };
}

/** Moves an order to another address. The old one learns it, and its links stop working. See docs/decisions/0066. */
import type { OrderRef } from '#domain/order.ts';
import { type lockOrder } from '#server/orders/core/orders.sql.ts';
import { correctAddress as moveOrder } from '#server/orders/core/transfers.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import { isErased } from '#server/platform/erased-address.ts';
import { nextVersion } from '#server/platform/outbox/outbox.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';

type LockedOrder = NonNullable<Awaited<ReturnType<typeof lockOrder>>>;

/** The caller holds the order's lock. */
export async function correctAddress(
  tx: Db,
  ref: OrderRef,
  { buyerEmail, linkVersion }: Pick<LockedOrder, 'buyerEmail' | 'linkVersion'>,
  { email, now }: { email: string; now: Date },
): Promise<void> {
  const { eventId, orderId } = ref;
  if (!buyerEmail || isErased(buyerEmail)) throw new AppError('correction.unknown-order');
  if (buyerEmail === email) throw new AppError('correction.same-email');
  await moveOrder(tx, ref, email);
  const about = { subjectId: orderId, params: { eventId }, now };
  await queueEmail(tx, {
    ...about,
    kind: 'tickets',
    version: await nextVersion(tx, 'tickets', orderId),
    toAddress: email,
  });
  await queueEmail(tx, { ...about, kind: 'email-corrected', version: linkVersion + 1, toAddress: buyerEmail });
}

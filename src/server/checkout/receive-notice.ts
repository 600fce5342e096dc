/** Takes in what the card company reports. It is stored before it is answered, and acted on after. */
import { badSignature, noticeReceived } from '#contract/checkout.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/jobs.sql.ts';
import { invalid } from '#server/refusal.ts';
import { insertNotice } from './checkout.sql.ts';

export async function receiveNotice(
  { db, cards, clock }: Pick<Deps, 'db' | 'cards' | 'clock'>,
  rawBody: Buffer,
  signature: string | undefined,
) {
  const notice = cards.readNotice(rawBody, signature);
  if (!notice) throw invalid(badSignature);

  await inTransaction(db, async (tx) => {
    const isNew = await insertNotice(tx, {
      id: notice.noticeId,
      type: notice.type,
      eventId: notice.order?.eventId ?? null,
      orderId: notice.order?.orderId ?? null,
      payload: notice.payload,
      receivedAt: clock.now(),
    });
    // A repeated delivery is normal. If the first one is not done yet, its job still is in the queue.
    if (isNew) await enqueue(tx, 'apply-notice', { noticeId: notice.noticeId });
  });
  return { msg: noticeReceived };
}

/** Gives claimed money back, once, however often and from wherever this is called. */
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { recordRefund, recordUnfillableRefund } from '#server/ledger/record-refund.ts';
import { queueMail } from '#server/mail/queue-mail.ts';
import type { RefundAnswer } from '#server/ports/card-processor.ts';
import {
  claimedRefund,
  giveBackPlace,
  lockClaimedRefund,
  lockEventForRefund,
  markRefundRefused,
  markRefundSent,
  type RefundRef,
  restoreTicket,
  setTicketsState,
} from './refunds.sql.ts';

export type RefundOutcome = 'done' | 'disputed' | 'refused';

type SendDeps = Pick<Deps, 'db' | 'cards' | 'log'>;

/** The card company keeps keys for a day; well before that is over, its list of refunds is asked first. */
const KEY_IS_SURE_SECONDS = 60 * 60;

export async function sendRefund(deps: SendDeps, ref: RefundRef): Promise<RefundOutcome> {
  const refund = await claimedRefund(deps.db, ref);
  if (!refund) return 'done';
  // A free ticket moves no money.
  if (refund.cents === 0) return recordSent(deps, ref, null);
  if (!refund.paymentId) throw new Error(`refund ${ref.refundId} is of an order without a payment`);

  const { orderId, paymentId, cents: amountCents, ageSeconds } = refund;
  const maybeSent = ageSeconds > KEY_IS_SURE_SECONDS;
  const answer = await deps.cards.refund({ ...ref, orderId, paymentId, amountCents, maybeSent });
  return answer.refusal ? recordRefusal(deps, ref, answer.refusal) : recordSent(deps, ref, answer.providerRefundId);
}

async function recordSent({ db }: SendDeps, ref: RefundRef, providerRefundId: string | null): Promise<'done'> {
  await inTransaction(db, async (tx) => {
    const event = await lockEventForRefund(tx, ref.eventId);
    const refund = await lockClaimedRefund(tx, ref);
    if (!event || !refund) return;

    const { cents, reason, ticketId, ticketTypeId } = refund;
    const at = event.now;
    const movement = { eventId: ref.eventId, subjectId: ref.refundId, cents, at };
    await markRefundSent(tx, ref, { providerRefundId, sentAt: at });
    if (ticketId === null || ticketTypeId === null) return recordUnfillableRefund(tx, movement);

    // The place is on sale again only now: a refund that came to nothing must not have sold it twice.
    await giveBackPlace(tx, ref.eventId, ticketTypeId);
    await setTicketsState(tx, ref.eventId, [ticketId], 'refunded');
    await recordRefund(tx, movement);
    // Buyers of a cancelled event have been told, once, about all their tickets.
    if (reason !== 'requested') return;
    await queueMail(tx, {
      kind: 'refund-accepted',
      subjectId: ref.refundId,
      toAddress: refund.buyerEmail ?? '',
      params: { eventId: ref.eventId },
      now: at,
    });
  });
  return 'done';
}

/** A no for good. It stays on record for the operator; what the buyer holds is a good ticket again. */
async function recordRefusal(
  { db, log }: SendDeps,
  ref: RefundRef,
  { isDisputed, words }: NonNullable<RefundAnswer['refusal']>,
): Promise<RefundOutcome> {
  log.error({ ...ref, words }, 'the card company refused a refund');
  await inTransaction(db, async (tx) => {
    const refund = await lockClaimedRefund(tx, ref);
    if (!refund) return;
    await markRefundRefused(tx, ref, words);
    // Nobody gets into a cancelled event, so there the ticket stays as it is.
    if (refund.reason === 'requested' && refund.ticketId) await restoreTicket(tx, ref.eventId, refund.ticketId);
  });
  return isDisputed ? 'disputed' : 'refused';
}

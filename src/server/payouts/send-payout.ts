/** Moves claimed money to the organizer, once, however often and from wherever this is called. */
import { rewardPayout } from '#server/affiliates/reward-payout.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { recordPayout } from '#server/ledger/record-payout.ts';
import { queueMail } from '#server/mail/queue-mail.ts';
import { markPaid, markTriedInVain, organizerOf, type PayoutRef, unpaidPayout } from './payouts.sql.ts';

type SendDeps = Pick<Deps, 'db' | 'payoutAccounts' | 'log'>;

/** The card company keeps keys for a day; well before that is over, its list of transfers is asked first. */
const KEY_IS_SURE_SECONDS = 60 * 60;

export async function sendPayout(deps: SendDeps, ref: PayoutRef): Promise<void> {
  const payout = await unpaidPayout(deps.db, ref);
  if (!payout) return;

  const { cents, accountId, attempt, ageSeconds } = payout;
  const maybeSent = attempt > 1 || ageSeconds > KEY_IS_SURE_SECONDS;
  const answer = await deps.payoutAccounts.transfer({ ...ref, accountId, cents, attempt, maybeSent });
  if (!answer.refusal) return recordTransfer(deps, ref, answer.transferId);

  const { reason, words } = answer.refusal;
  const isWaiting = reason === 'insufficient-funds';
  await markTriedInVain(deps.db, ref, attempt, isWaiting ? 'awaiting-funds' : 'requested');
  if (!isWaiting) deps.log.error({ ...ref, words }, 'the card company refused a transfer');
}

async function recordTransfer({ db }: SendDeps, ref: PayoutRef, transferId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const paid = await markPaid(tx, ref, transferId);
    if (!paid?.paidAt) return;

    const { eventId, payoutId } = ref;
    const organizer = await organizerOf(tx, eventId);
    await recordPayout(tx, { eventId, subjectId: payoutId, at: paid.paidAt }, paid.statement);
    await rewardPayout(tx, { eventId, organizerId: organizer.userId, at: paid.paidAt });
    await queueMail(tx, {
      kind: 'payout-sent',
      subjectId: payoutId,
      toAddress: organizer.email,
      params: { eventId },
      now: paid.paidAt,
    });
  });
}

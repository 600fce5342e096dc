/** Transfers a claimed payout to the organizer's Stripe account. Idempotent. */
import { lockOrganization } from '#server/accounts/organization.ts';
import { openRestore } from '#server/payments/restores/restores.sql.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Transfer, TransferAnswer } from '#server/platform/ports/payout-accounts.ts';
import { ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { claimWaitingAdditionalPayouts } from './claim-additional-payout.ts';
import { claimDueReserves } from './claim-reserve.ts';
import { completePayout } from './complete-payout.ts';
import {
  lockEventById,
  type PayoutRef,
  payoutIdsOf,
  recordTransferFailure,
  startTransfer,
  unpaidPayouts,
} from './payouts.sql.ts';

const BATCH_SIZE = 200;

type SendDeps = Pick<Deps, 'db' | 'payoutAccounts' | 'log'>;

const WAITING_STATES = {
  'insufficient-funds': 'awaiting-funds',
  'account-not-ready': 'awaiting-account',
  other: 'requested',
} as const;

export async function sendPayout(deps: SendDeps, ref: PayoutRef, { isRetry = false } = {}): Promise<void> {
  if (await openRestore(deps.db)) return;
  const payout = await startTransfer(deps.db, ref);
  if (!payout) return;

  const knownPayouts = () => payoutIdsOf(deps.db, ref.eventId);
  const answer = await transfer(deps, ref, { ...ref, ...payout, knownPayouts });
  if (!answer.denial) {
    const { transferId } = answer;
    return inTransaction(deps.db, (tx) => recordTransfer(tx, ref, transferId));
  }

  const { reason, message, answer: answerKind } = answer.denial;
  const change = { state: WAITING_STATES[reason], failureReason: message };
  const hasNewKey = await recordTransferFailure(deps.db, ref, { ...payout, answer: answerKind }, change);
  // Stripe repeated an old response. The new key gets a current one.
  if (hasNewKey && !isRetry) return sendPayout(deps, ref, { isRetry: true });
  if (reason !== 'insufficient-funds') deps.log.error({ ...ref, reason: message }, 'Stripe refused a transfer');
}

/** Takes the locks in the same order as claiming a payout, so a concurrent claim sees this payout entirely or not at all. */
async function recordTransfer(tx: Db, ref: PayoutRef, transferId: string): Promise<void> {
  const { organizationId } = await lockEventById(tx, ref.eventId);
  await lockOrganization(tx, organizationId);
  await completePayout(tx, ref, transferId);
}

async function transfer(deps: SendDeps, ref: PayoutRef, payout: Transfer): Promise<TransferAnswer> {
  try {
    return await deps.payoutAccounts.transfer(payout);
  } catch (error) {
    if (error instanceof ProcessorUnreachable && error.isFinal) {
      await recordTransferFailure(deps.db, ref, { ...payout, answer: 'repeated' }, { failureReason: error.message });
    }
    throw error;
  }
}

/** Claims additional payouts that are due, and what was held back until now. Then it sends all claimed payouts, such as those that waited for funds. */
export async function sendWaitingPayouts(deps: Pick<Deps, 'db' | 'payoutAccounts' | 'log'>): Promise<void> {
  await claimWaitingAdditionalPayouts(deps);
  await claimDueReserves(deps);
  for (const payout of await unpaidPayouts(deps.db, BATCH_SIZE)) {
    try {
      await sendPayout(deps, payout);
    } catch (error) {
      // One failing payout must not block the others.
      deps.log.warn({ err: error, ...payout }, 'could not send a payout');
    }
  }
}

/** Moves claimed money to the organizer, once, however often and from wherever this is called. */
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Transfer, TransferAnswer } from '#server/platform/ports/payout-accounts.ts';
import { ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { claimWaitingAdditionalPayouts } from './claim-additional-payout.ts';
import { completePayout } from './complete-payout.ts';
import {
  lockEventById,
  lockOrganizer,
  type PayoutRef,
  payoutIdsOf,
  recordNotTransferred,
  startTransfer,
  unpaidPayouts,
} from './payouts.sql.ts';

type SendDeps = Pick<Deps, 'db' | 'payoutAccounts' | 'log'>;

const WAITS = {
  'insufficient-funds': 'awaiting-funds',
  'account-not-ready': 'awaiting-account',
  other: 'requested',
} as const;

export async function sendPayout(deps: SendDeps, ref: PayoutRef, { isSecondTry = false } = {}): Promise<void> {
  const payout = await startTransfer(deps.db, ref);
  if (!payout) return;

  const knownPayouts = () => payoutIdsOf(deps.db, ref.eventId);
  const answer = await transfer(deps, ref, { ...ref, ...payout, knownPayouts });
  if (!answer.refusal) {
    const { transferId } = answer;
    return inTransaction(deps.db, (tx) => record(tx, ref, transferId));
  }

  const { reason, words, answer: said } = answer.refusal;
  const change = { state: WAITS[reason], refusal: words };
  const hasOtherKey = await recordNotTransferred(deps.db, ref, { ...payout, answer: said }, change);
  // That was the answer of an earlier time; now it is asked for anew.
  if (hasOtherKey && !isSecondTry) return sendPayout(deps, ref, { isSecondTry: true });
  if (reason !== 'insufficient-funds') deps.log.error({ ...ref, words }, 'the card company refused a transfer');
}

/** In the order in which payouts are claimed, so that whoever reckons with this one sees all of it or nothing. */
async function record(tx: Db, ref: PayoutRef, transferId: string): Promise<void> {
  const { organizerId } = await lockEventById(tx, ref.eventId);
  await lockOrganizer(tx, organizerId);
  await completePayout(tx, ref, transferId);
}

async function transfer(deps: SendDeps, ref: PayoutRef, payout: Transfer): Promise<TransferAnswer> {
  try {
    return await deps.payoutAccounts.transfer(payout);
  } catch (error) {
    if (error instanceof ProcessorUnreachable && error.isFinal) {
      await recordNotTransferred(deps.db, ref, { ...payout, answer: 'repeated' }, { refusal: error.message });
    }
    throw error;
  }
}

const AT_ONCE = 200;

/**
 * Sends the payouts that were claimed and not transferred: funds were not ready, or the process ended too soon. Before
 * that it claims the further ones that wait for it.
 */
export async function sendWaitingPayouts(deps: Pick<Deps, 'db' | 'payoutAccounts' | 'log'>): Promise<void> {
  await claimWaitingAdditionalPayouts(deps);
  for (const payout of await unpaidPayouts(deps.db, AT_ONCE)) {
    try {
      await sendPayout(deps, payout);
    } catch (error) {
      // One organizer's payout must not keep the others' waiting.
      deps.log.warn({ err: error, ...payout }, 'a payout could not be sent');
    }
  }
}

/**
 * Takes money of a payout back, once, however often and from wherever this is called: by reversing its transfer, or,
 * where the organizer's account is empty, as a debt that the next payout settles. Never in part, and never both.
 */

import { recordReversal } from '#server/ledger/record-movements.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Reversal, ReversalAnswer } from '#server/platform/ports/payout-accounts.ts';
import { ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { claimAdditionalPayout } from './claim-additional-payout.ts';
import { lockEventForPayout } from './lock-event.ts';
import {
  knownReversalsOf,
  type ReversalRef,
  recordNotReversed,
  reversalsToSend,
  settleReversal,
  startReversal,
} from './reversals.sql.ts';

type SendDeps = Pick<Deps, 'db' | 'payoutAccounts' | 'log'>;

/** The card company keeps keys for a day; well before that is over, only its list says what was sent. */
const KEY_IS_SURE_SECONDS = 60 * 60;

export async function sendReversal(deps: SendDeps, ref: ReversalRef): Promise<void> {
  const recovery = await startReversal(deps.db, ref);
  if (!recovery) return;

  const { grossCents, feesCents, attempt, transferId, payoutId, cause, unreversedCents, ageSeconds } = recovery;
  const cents = grossCents - feesCents;
  const isTried = recovery.isTried || ageSeconds > KEY_IS_SURE_SECONDS;
  // Once it may have been sent, only the card company knows whether it was: what is left of the transfer then says nothing.
  if (!transferId || cents === 0 || (unreversedCents < cents && !isTried)) {
    return settle(deps, ref, {
      refusal: { reason: 'refused', words: 'The transfer of this payout is too small to be reversed by this much.' },
    });
  }
  const knownReversals = () => knownReversalsOf(deps.db, { eventId: ref.eventId, payoutId });
  const reversal = { recoveryId: ref.recoveryId, transferId, cents, attempt, cause, knownReversals };
  const answer = await reverse(deps, ref, reversal);
  if (answer.refusal?.reason !== 'forgotten') return settle(deps, ref, answer);

  // Neither reversed nor a debt: both would take the money a second time.
  const { words } = answer.refusal;
  await recordNotReversed(deps.db, ref, { attempt, isFinal: false }, words);
  if (words !== recovery.refusal) deps.log.error({ ...ref, words }, 'a recovery waits for a person');
}

async function reverse(deps: SendDeps, ref: ReversalRef, reversal: Reversal): Promise<ReversalAnswer> {
  try {
    return await deps.payoutAccounts.reverse(reversal);
  } catch (error) {
    if (error instanceof ProcessorUnreachable && error.isFinal) {
      await recordNotReversed(deps.db, ref, { attempt: reversal.attempt, isFinal: true }, error.message);
    }
    throw error;
  }
}

async function settle({ db, log }: SendDeps, ref: ReversalRef, answer: ReversalAnswer): Promise<void> {
  const { eventId, recoveryId } = ref;
  const change = answer.refusal
    ? ({ state: 'receivable', reversalId: null, refusal: answer.refusal.words } as const)
    : ({ state: 'reversed', reversalId: answer.reversalId, refusal: null } as const);
  await inTransaction(db, async (tx) => {
    await lockEventForPayout(tx, eventId);
    const settled = await settleReversal(tx, ref, change);
    if (!settled) return;
    const { grossCents, feesCents, at } = settled;
    const recovery = { eventId, subjectId: recoveryId, grossCents, feesCents, at };
    await recordReversal(tx, recovery, change.state === 'reversed' ? 'processor' : 'receivables');
    // The dispute may have been won while this was under way.
    await claimAdditionalPayout({ log }, tx, eventId);
  });
  if (answer.refusal) log.warn({ ...ref, words: answer.refusal.words }, 'a recovery became a debt of the organizer');
}

const AT_ONCE = 200;

/** Makes the recoveries that were claimed and not made: the payout was not transferred, or the process ended too soon. */
export async function sendWaitingReversals(deps: Pick<Deps, 'db' | 'payoutAccounts' | 'log'>): Promise<void> {
  for (const recovery of await reversalsToSend(deps.db, AT_ONCE)) {
    try {
      await sendReversal(deps, recovery);
    } catch (error) {
      // One organizer's recovery must not keep the others' waiting.
      deps.log.warn({ err: error, ...recovery }, 'a recovery could not be made');
    }
  }
}

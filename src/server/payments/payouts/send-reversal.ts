/**
 * Claws money back from a payout by reversing its transfer. If the organizer's account is empty, the amount becomes a
 * debt that the next payout settles. Always the full amount, and never both. Idempotent.
 */
import type { OwnFailureReason } from '#domain/reversal.ts';
import { recordReversal } from '#server/ledger/record-movements.ts';
import { openRestore } from '#server/payments/restores/restores.sql.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Reversal, ReversalAnswer } from '#server/platform/ports/payout-accounts.ts';
import { ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { claimAdditionalPayout } from './claim-additional-payout.ts';
import { lockEventForPayout } from './lock-event.ts';
import {
  knownReversalsOf,
  type ReversalRef,
  recordReversalFailure,
  reversalsToSend,
  settleReversal,
  startReversal,
} from './reversals.sql.ts';

type SendDeps = Pick<Deps, 'db' | 'payoutAccounts' | 'log'>;

/** Stripe keeps idempotency keys for a day. Well before that, we rely on its list of reversals instead. */
const KEY_TRUSTED_SECONDS = 60 * 60;
const BATCH_SIZE = 200;

export async function sendReversal(deps: SendDeps, ref: ReversalRef): Promise<void> {
  if (await openRestore(deps.db)) return;
  const started = await startReversal(deps.db, ref);
  if (!started) return;

  const { grossCents, feesCents, reserveCents, attempt, transferId, payoutId, cause, unreversedCents, ageSeconds } =
    started;
  const cents = grossCents - feesCents - reserveCents;
  if (cents === 0 && reserveCents > 0) return record(deps, ref, FROM_RESERVE);
  const isTried = started.isTried || ageSeconds > KEY_TRUSTED_SECONDS;
  // Once it may have been sent, the unreversed amount proves nothing: only Stripe knows whether the reversal was made.
  if (!transferId || cents === 0 || (unreversedCents < cents && !isTried)) {
    const message: OwnFailureReason = 'transfer-too-small';
    return settle(deps, ref, { denial: { reason: 'refused', message } });
  }
  const knownReversals = () => knownReversalsOf(deps.db, { eventId: ref.eventId, payoutId });
  const reversal = { reversalId: ref.reversalId, transferId, cents, attempt, cause, knownReversals };
  const answer = await reverse(deps, ref, reversal);
  if (answer.denial?.reason !== 'forgotten') return settle(deps, ref, answer);

  // Reversing it or booking a debt could take the money a second time.
  const { message: reason } = answer.denial;
  await recordReversalFailure(deps.db, ref, { attempt, isFinal: false }, reason);
  if (reason !== started.failureReason) deps.log.error({ ...ref, reason }, 'a transfer reversal needs an operator');
}

async function reverse(deps: SendDeps, ref: ReversalRef, reversal: Reversal): Promise<ReversalAnswer> {
  try {
    return await deps.payoutAccounts.reverse(reversal);
  } catch (error) {
    if (error instanceof ProcessorUnreachable && error.isFinal) {
      await recordReversalFailure(deps.db, ref, { attempt: reversal.attempt, isFinal: true }, error.message);
    }
    throw error;
  }
}

const FROM_RESERVE = { state: 'from-reserve', stripeReversalId: null, failureReason: null } as const;

async function settle(deps: SendDeps, ref: ReversalRef, answer: ReversalAnswer): Promise<void> {
  const change = answer.denial
    ? ({ state: 'receivable', stripeReversalId: null, failureReason: answer.denial.message } as const)
    : ({ state: 'reversed', stripeReversalId: answer.reversalId, failureReason: null } as const);
  await record(deps, ref, change);
  if (answer.denial)
    deps.log.warn(
      { ...ref, reason: answer.denial.message },
      'a transfer reversal failed and became a debt of the organizer',
    );
}

async function record(
  { db, log }: SendDeps,
  ref: ReversalRef,
  change: Parameters<typeof settleReversal>[2],
): Promise<void> {
  const { eventId, reversalId } = ref;
  await inTransaction(db, async (tx) => {
    await lockEventForPayout(tx, eventId);
    const settled = await settleReversal(tx, ref, change);
    if (!settled) return;
    const movement = { eventId, subjectId: reversalId, ...settled };
    await recordReversal(tx, movement, change.state === 'reversed' ? 'processor' : 'receivables');
    // The dispute may have been won in the meantime.
    await claimAdditionalPayout({ log }, tx, eventId);
  });
}

/** Makes claimed reversals, such as those that waited for the payout's transfer. */
export async function sendWaitingReversals(deps: Pick<Deps, 'db' | 'payoutAccounts' | 'log'>): Promise<void> {
  for (const ref of await reversalsToSend(deps.db, BATCH_SIZE)) {
    try {
      await sendReversal(deps, ref);
    } catch (error) {
      // One failing reversal must not block the others.
      deps.log.warn({ err: error, ...ref }, 'could not reverse a transfer');
    }
  }
}

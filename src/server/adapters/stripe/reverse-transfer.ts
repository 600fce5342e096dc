/** Takes money of a transfer back from an organizer's account through Stripe, once. */
import type Stripe from 'stripe';
import type { Reversal, ReversalAnswer } from '#server/ports/payout-accounts.ts';
import { expectAnswer, isNo, translated } from './stripe-errors.ts';

export async function reverseTransfer(stripe: Stripe, reversal: Reversal): Promise<ReversalAnswer> {
  try {
    const { own, unknown } = await reversalsOf(stripe, reversal);
    if (!own && unknown) return { refusal: { reason: 'forgotten', words: `${UNKNOWN}: ${unknown.id}` } };
    const sent = own ?? (await createReversal(stripe, reversal));
    return { reversalId: expectAnswer(sent, 'transfer_reversal', ['id']).id, refusal: null };
  } catch (error) {
    if (!isNo(error)) return translated(() => Promise.reject(error));
    return { refusal: { reason: 'refused', words: error.message } };
  }
}

function createReversal(stripe: Stripe, { transferId, recoveryId, cause, cents, attempt }: Reversal) {
  return stripe.transfers.createReversal(
    transferId,
    { amount: cents, metadata: { recovery_id: recoveryId, made_for: cause } },
    { idempotencyKey: `trr:${recoveryId}:${attempt}` },
  );
}

const UNKNOWN = 'The transfer has a reversal that is not in our books, as after restoring an older backup';

/** Looked at before each reversal: the key of an earlier call may be forgotten there, or the whole recovery here. */
async function reversalsOf(stripe: Stripe, reversal: Reversal) {
  const { transferId, recoveryId, cause, cents, knownReversals } = reversal;
  const others: Stripe.TransferReversal[] = [];
  for await (const sent of stripe.transfers.listReversals(transferId, { limit: 100 })) {
    if (sent.metadata?.['recovery_id'] === recoveryId) return { own: sent, unknown: undefined };
    if (sent.metadata?.['recovery_id'] !== undefined) others.push(sent);
  }
  const known = others.length > 0 ? await knownReversals() : [];
  const unknown = others.filter(
    ({ id, metadata }) => !known.includes(id) && !known.includes(metadata?.['recovery_id'] ?? ''),
  );
  // A cause takes money back once: our books had forgotten this very reversal, and are to have it again.
  const own = unknown.find(({ amount, metadata }) => metadata?.['made_for'] === cause && amount === cents) ?? null;
  return { own, unknown: unknown[0] };
}

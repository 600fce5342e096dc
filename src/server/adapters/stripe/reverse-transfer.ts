/** Takes money of a transfer back from an organizer's account through Stripe, once. */
import Stripe from 'stripe';
import type { Reversal, ReversalAnswer } from '#server/ports/payout-accounts.ts';
import { expectAnswer, translated } from './stripe-errors.ts';

export async function reverseTransfer(stripe: Stripe, reversal: Reversal): Promise<ReversalAnswer> {
  try {
    const sent =
      (reversal.maybeSent ? await findReversal(stripe, reversal) : null) ?? (await createReversal(stripe, reversal));
    return { reversalId: expectAnswer(sent, 'transfer_reversal', ['id']).id, refusal: null };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return translated(() => Promise.reject(error));
    return { refusal: { words: error.message } };
  }
}

function createReversal(stripe: Stripe, { transferId, recoveryId, cents, attempt }: Reversal) {
  return stripe.transfers.createReversal(
    transferId,
    { amount: cents, metadata: { recovery_id: recoveryId } },
    { idempotencyKey: `trr:${recoveryId}:${attempt}` },
  );
}

async function findReversal(
  stripe: Stripe,
  { transferId, recoveryId }: Reversal,
): Promise<Stripe.TransferReversal | null> {
  for await (const sent of stripe.transfers.listReversals(transferId, { limit: 100 })) {
    if (sent.metadata?.['recovery_id'] === recoveryId) return sent;
  }
  return null;
}

/** Sends transfers to organizers' accounts, and their reversals, to Stripe, each at most once. */
import type Stripe from 'stripe';
import type { Reversal, ReversalAnswer, Transfer, TransferAnswer } from '#server/platform/ports/payout-accounts.ts';
import { expectAnswer, isNo, isRepeated, translated } from './stripe-answers.ts';

const groupOf = (eventId: string) => `event_${eventId}`;

export async function sendTransfer(stripe: Stripe, payout: Transfer): Promise<TransferAnswer> {
  try {
    const { own, unknown } = await transfersOf(stripe, payout);
    if (!own && unknown)
      return { denial: { reason: 'other', message: `${UNKNOWN_TRANSFER}: ${unknown.id}`, answer: 'none' } };
    const sent = own ?? (await createTransfer(stripe, payout));
    return { transferId: expectAnswer(sent, 'transfer', ['id']).id, denial: null };
  } catch (error) {
    if (!isNo(error)) return translated(() => Promise.reject(error));
    const answer = isRepeated(error) ? 'repeated' : 'first';
    return { denial: { reason: reasonOf(error.code), message: error.message, answer } };
  }
}

/** Transfers the total without `source_transaction`, so the platform's available balance must cover it. */
function createTransfer(stripe: Stripe, { payoutId, eventId, accountId, cents, attempt }: Transfer) {
  return stripe.transfers.create(
    {
      amount: cents,
      currency: 'usd',
      destination: accountId,
      transfer_group: groupOf(eventId),
      description: `Ticket sales of event ${eventId}`,
      metadata: { payout_id: payoutId, event_id: eventId },
    },
    { idempotencyKey: `tr:${payoutId}:${attempt}` },
  );
}

const UNKNOWN_TRANSFER = 'The event has a transfer that is not in our books, as after restoring an older backup';

/** Checked before each transfer, because Stripe drops idempotency keys and a restored backup may lack the payout. */
async function transfersOf(stripe: Stripe, { payoutId, eventId, knownPayouts }: Transfer) {
  const others: { id: string; madeFor: string }[] = [];
  for await (const transfer of stripe.transfers.list({ transfer_group: groupOf(eventId), limit: 100 })) {
    const madeFor = transfer.metadata['payout_id'];
    if (madeFor === payoutId) return { own: transfer, unknown: undefined };
    // A fully reversed transfer does not count as paid.
    if (madeFor !== undefined && !transfer.reversed) others.push({ id: transfer.id, madeFor });
  }
  const known = others.length > 0 ? await knownPayouts() : [];
  return { own: null, unknown: others.find(({ madeFor }) => !known.includes(madeFor)) };
}

const ACCOUNT_CODES = new Set(['insufficient_capabilities_for_transfer', 'account_invalid', 'account_closed']);

function reasonOf(code: string | undefined) {
  if (code === 'balance_insufficient') return 'insufficient-funds';
  return ACCOUNT_CODES.has(code ?? '') ? 'account-not-ready' : 'other';
}

export async function reverseTransfer(stripe: Stripe, reversal: Reversal): Promise<ReversalAnswer> {
  try {
    const { own, unknown } = await reversalsOf(stripe, reversal);
    if (!own && unknown) return { denial: { reason: 'forgotten', message: `${UNKNOWN_REVERSAL}: ${unknown.id}` } };
    const sent = own ?? (await createReversal(stripe, reversal));
    return { reversalId: expectAnswer(sent, 'transfer_reversal', ['id']).id, denial: null };
  } catch (error) {
    if (!isNo(error)) return translated(() => Promise.reject(error));
    return { denial: { reason: 'refused', message: error.message } };
  }
}

function createReversal(stripe: Stripe, { transferId, reversalId, cause, cents, attempt }: Reversal) {
  return stripe.transfers.createReversal(
    transferId,
    { amount: cents, metadata: { reversal_id: reversalId, made_for: cause } },
    { idempotencyKey: `trr:${reversalId}:${attempt}` },
  );
}

const UNKNOWN_REVERSAL = 'The transfer has a reversal that is not in our books, as after restoring an older backup';

/** Checked before each reversal, for the same reasons. */
async function reversalsOf(stripe: Stripe, reversal: Reversal) {
  const { transferId, reversalId, cause, cents, knownReversals } = reversal;
  const others: Stripe.TransferReversal[] = [];
  for await (const sent of stripe.transfers.listReversals(transferId, { limit: 100 })) {
    if (sent.metadata?.['reversal_id'] === reversalId) return { own: sent, unknown: undefined };
    if (sent.metadata?.['reversal_id'] !== undefined) others.push(sent);
  }
  const known = others.length > 0 ? await knownReversals() : [];
  const unknown = others.filter(
    ({ id, metadata }) => !known.includes(id) && !known.includes(metadata?.['reversal_id'] ?? ''),
  );
  // One cause has one reversal, so a match is this reversal, which a restored backup lacks.
  const own = unknown.find(({ amount, metadata }) => metadata?.['made_for'] === cause && amount === cents) ?? null;
  return { own, unknown: unknown[0] };
}

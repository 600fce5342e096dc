/** Reads Stripe's lists for the reconciliation. */
import type Stripe from 'stripe';
import type { BalanceTransaction, BalanceTransactions } from '#server/platform/ports/balance-transactions.ts';
import type { AppSecret } from '#server/platform/secrets.ts';
import { CHARGE_OF_SESSION, checkoutSessionOf } from './payment-processor.ts';
import { disputeOf, refundOf } from './read-payment.ts';
import { expectAnswer, translated } from './stripe-answers.ts';

const PAGE = 100;

export function stripeBalanceTransactions(stripe: Stripe, appSecret: AppSecret): BalanceTransactions {
  return {
    async *completedCheckouts(since) {
      const sessions = stripe.checkout.sessions.list({
        status: 'complete',
        created: from(since),
        limit: PAGE,
        expand: [`data.${CHARGE_OF_SESSION}`],
      });
      for await (const session of translatedEach(sessions)) yield checkoutSessionOf(session, appSecret);
    },

    async *touchedPayments(since) {
      const wanted = { created: from(since), limit: PAGE };
      for await (const refund of translatedEach(stripe.refunds.list(wanted))) {
        const paymentId = idOf(refund.payment_intent);
        if (paymentId) yield { paymentId, refund: refundOf(refund) };
      }
      for await (const dispute of translatedEach(stripe.disputes.list(wanted))) {
        const paymentId = idOf(dispute.payment_intent);
        if (paymentId) yield { paymentId, dispute: disputeOf(dispute) };
      }
    },

    async *movements(since) {
      const transactions = stripe.balanceTransactions.list({
        created: from(since),
        limit: PAGE,
        expand: ['data.source'],
      });
      for await (const transaction of translatedEach(transactions)) yield movementOf(transaction);
    },

    async balance() {
      const answer = await translated(() => stripe.balance.retrieve());
      const { available, pending } = expectAnswer(answer, 'balance', ['available', 'pending']);
      return [...available, ...pending].reduce(
        (sum, { amount, currency }) => sum + (currency === 'usd' ? amount : 0),
        0,
      );
    },
  };
}

const from = (since: Date) => ({ gte: Math.floor(since.getTime() / 1000) });

async function* translatedEach<Item>(list: AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = list[Symbol.asyncIterator]();
  for (;;) {
    const next = await translated(() => items.next());
    if (next.done) return;
    yield next.value;
  }
}

function movementOf({ id, type, net, created, source }: Stripe.BalanceTransaction): BalanceTransaction {
  return { movementId: id, type, ...subjectOf(source), netCents: net, at: new Date(created * 1000) };
}

function subjectOf(source: Stripe.BalanceTransaction['source']): Pick<BalanceTransaction, 'paymentId' | 'transferId'> {
  if (!source || typeof source === 'string') return { paymentId: null, transferId: null };
  switch (source.object) {
    case 'charge':
    case 'refund':
    case 'dispute':
      return { paymentId: idOf(source.payment_intent), transferId: null };
    case 'transfer':
      return { paymentId: null, transferId: source.id };
    case 'transfer_reversal':
      return { paymentId: null, transferId: idOf(source.transfer) };
    default:
      return { paymentId: null, transferId: null };
  }
}

const idOf = (value: string | { id: string } | null): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null);

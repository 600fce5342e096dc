/** What happens to the money outside Handstamp: at the banks and in the Stripe dashboard. */
import { sandboxKeys } from '#server/platform/secrets.ts';
import type { AppAccess, HistoryInApp } from './history.ts';

interface Payment {
  paymentId: string;
  totalCents: number;
}

/** The buyer disputes a payment, or only makes an inquiry. */
export async function dispute(stage: HistoryInApp): Promise<void> {
  const payment = await somePayment(stage);
  if (!payment) return;
  const kind = stage.history.random.pick(['chargeback', 'chargeback', 'inquiry', 'prevented']);
  await happen(stage, '/_sandbox/disputes', { payment_intent: payment.paymentId, kind });
}

/** The bank decides, or escalates its inquiry to a chargeback. */
export async function disputeProceeds(stage: HistoryInApp): Promise<void> {
  const id = await someObject(stage, 'dispute');
  if (id)
    await happen(stage, `/_sandbox/disputes/${id}`, {
      become: stage.history.random.pick(['won', 'lost', 'chargeback']),
    });
}

/** The card is closed before the refund arrives. */
export async function refundFails(stage: HistoryInApp): Promise<void> {
  const id = await someObject(stage, 'refund');
  if (id) await happen(stage, `/_sandbox/refunds/${id}`, { become: 'failed' });
}

/** An operator refunds a payment in the Stripe dashboard, in full or in part. */
export async function dashboardRefund(stage: HistoryInApp): Promise<void> {
  const { app, history } = stage;
  const payment = await somePayment(stage);
  if (!payment) return;
  const amount = history.random.chance(0.5) ? '' : `&amount=${history.random.between(1, payment.totalCents)}`;
  const reply = await fetch(`${app.sandboxUrl}/v1/refunds`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sandboxKeys(app.deps.appSecret).secretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `payment_intent=${payment.paymentId}${amount}`,
  }).catch(() => null);
  history.log.push(`dashboard refund of ${payment.paymentId}${amount}: ${reply?.status ?? 'no answer'}`);
}

async function happen({ app, history }: HistoryInApp, path: string, body: object): Promise<void> {
  const reply = await fetch(`${app.sandboxUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // Impossible events, such as a dispute of a refunded payment, are rejected.
  history.log.push(`${path} ${JSON.stringify(body)}: ${reply.status}`);
}

async function somePayment({ app, history }: HistoryInApp): Promise<Payment | null> {
  const rows = await app.db
    .selectFrom('orders')
    .where('eventId', '=', history.eventId)
    .where('paymentId', 'is not', null)
    .select(['paymentId', 'totalCents'])
    .orderBy('createdAt')
    .execute();
  const payments = rows.flatMap(({ paymentId, totalCents }) => (paymentId ? [{ paymentId, totalCents }] : []));
  return payments.length > 0 ? history.random.pick(payments) : null;
}

/** A random object of this kind, by its Stripe id. */
async function someObject({ app, history }: HistoryInApp, kind: 'dispute' | 'refund'): Promise<string | null> {
  const ids = kind === 'dispute' ? await disputesOf(app, history.eventId) : await refundsOf(app, history.eventId);
  return ids.length > 0 ? history.random.pick(ids) : null;
}

async function disputesOf({ db }: AppAccess, eventId: string): Promise<string[]> {
  const rows = await db.selectFrom('disputes').where('eventId', '=', eventId).select('stripeDisputeId').execute();
  return rows.map(({ stripeDisputeId }) => stripeDisputeId);
}

async function refundsOf({ db }: AppAccess, eventId: string): Promise<string[]> {
  const rows = await db.selectFrom('refunds').where('eventId', '=', eventId).select('stripeRefundId').execute();
  return rows.flatMap(({ stripeRefundId }) => stripeRefundId ?? []);
}

/** Calls every operation of the sandbox through the SDK and triggers every event. */

import type { TestSandbox } from './test-sandbox.ts';

const DAY = 24 * 3600;

export async function callEveryOperation(sandbox: TestSandbox): Promise<void> {
  const charge = await checkout(sandbox);
  await refunds(sandbox, charge);
  await disputes(sandbox);
  await connectedAccounts(sandbox);
  await webhooks(sandbox);
  await sandbox.control('clock', { advance_seconds: 3 * DAY });
  await sandbox.sandbox.idle();
}

async function checkout(sandbox: TestSandbox): Promise<string> {
  const { stripe } = sandbox;
  const session = await sandbox.openSession();
  await stripe.checkout.sessions.update(session.id, { metadata: { more: 'x' } });
  await sandbox.pay(session.url ?? '', '4000000000000002');
  await sandbox.pay(session.url ?? '', '4000000000000077');
  const paid = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['line_items', 'payment_intent.latest_charge.balance_transaction'],
  });
  await stripe.checkout.sessions.list({ expand: ['data.line_items'] });
  await stripe.checkout.sessions.listLineItems(session.id);
  await stripe.checkout.sessions.expire((await sandbox.openSession()).id);
  const free = await sandbox.openSession([{ name: 'Free', cents: 0, quantity: 1 }]);
  await sandbox.submit(free.url ?? '', { email: 'a@b.co' });

  const intent = paid.payment_intent;
  const intentId = typeof intent === 'object' && intent ? intent.id : '';
  await stripe.paymentIntents.retrieve(intentId);
  const { data } = await stripe.paymentIntents.list({ expand: ['data.latest_charge'] });
  const challenged = await sandbox.openSession();
  await sandbox.pay(challenged.url ?? '', '4000002760003184');
  const waiting = (await stripe.paymentIntents.list()).data.find(({ status }) => status === 'requires_action');
  await stripe.paymentIntents.cancel(waiting?.id ?? '');
  const charge = String(data[0]?.latest_charge && Object(data[0].latest_charge).id);
  await stripe.charges.list({ payment_intent: intentId });
  await stripe.charges.update(charge, { metadata: { a: 'b' } });
  await stripe.charges.retrieve(charge, { expand: ['balance_transaction', 'refunds'] });
  return charge;
}

async function refunds(sandbox: TestSandbox, charge: string): Promise<void> {
  const { stripe } = sandbox;
  const refund = await stripe.refunds.create({ charge, amount: 100, reason: 'requested_by_customer' });
  await stripe.refunds.retrieve(refund.id, { expand: ['charge', 'balance_transaction'] });
  await stripe.refunds.update(refund.id, { metadata: { a: 'b' } });
  await stripe.refunds.list();
  for (const number of ['4000000000007726', '4000000000005126']) {
    const session = await sandbox.openSession();
    await sandbox.pay(session.url ?? '', number);
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session.id);
    await stripe.refunds.create({ payment_intent: String(payment_intent) });
  }
  await sandbox.control('clock', { advance_seconds: DAY });
  await stripe.refunds.list({ limit: 3 });
  await stripe.charges.list({ expand: ['data.refunds'] });
}

async function disputes(sandbox: TestSandbox): Promise<void> {
  const { stripe } = sandbox;
  for (const number of ['4000000000000259', '4000000000002685', '4000000000001976', '4000000000005423']) {
    const session = await sandbox.openSession();
    await sandbox.pay(session.url ?? '', number);
  }
  const { data } = await stripe.disputes.list({ expand: ['data.charge'] });
  const [first, second] = data;
  await stripe.disputes.retrieve(first?.id ?? '', { expand: ['payment_intent'] });
  const file = await stripe.files.create({
    purpose: 'dispute_evidence',
    file: { name: 'evidence.pdf', type: 'application/pdf', data: Buffer.from('%PDF-') },
  });
  await stripe.files.retrieve(file.id);
  await stripe.disputes.update(first?.id ?? '', {
    evidence: { service_documentation: file.id, uncategorized_text: 'winning_evidence' },
    submit: true,
  });
  await stripe.disputes.close(second?.id ?? '');
  const warnings = await stripe.radar.earlyFraudWarnings.list();
  await stripe.radar.earlyFraudWarnings.retrieve(warnings.data[0]?.id ?? '');
  await stripe.balanceTransactions.list({ type: 'adjustment', expand: ['data.source'] });
}

async function connectedAccounts(sandbox: TestSandbox): Promise<void> {
  const { stripe } = sandbox;
  const { id } = await sandbox.openAccount();
  await stripe.v2.core.accounts.retrieve(id);
  await sandbox.submit((await sandbox.accountLink(id)).url, { outcome: 'requirement' });
  await sandbox.submit((await sandbox.accountLink(id)).url, { outcome: 'complete' });
  await stripe.v2.core.accounts.update(id, { display_name: 'Owls', identity: { entity_type: 'individual' } });
  await stripe.v2.core.accounts.list({ limit: 1 });
  await stripe.accounts.createLoginLink(id);
  await stripe.accounts.retrieve(id);
  await stripe.accounts.listExternalAccounts(id, { object: 'bank_account', limit: 1 });
  await stripe.v2.core.accounts.close((await sandbox.openAccount()).id, {});
  const [thin] = (
    await sandbox.pool.query<{ id: string }>('select id from sandbox.events where is_thin and detail is not null')
  ).rows;
  await stripe.v2.core.events.retrieve(thin?.id ?? '');

  const large = await sandbox.openSession([{ name: 'Door', cents: 1000_00, quantity: 1 }]);
  await sandbox.pay(large.url ?? '', '4000000000000077');
  const transfer = await stripe.transfers.create({ amount: 30_00, currency: 'usd', destination: id });
  await stripe.transfers.update(transfer.id, { description: 'For the night' });
  const reversal = await stripe.transfers.createReversal(transfer.id, { amount: 100 });
  await stripe.transfers.retrieveReversal(transfer.id, reversal.id, { expand: ['transfer', 'balance_transaction'] });
  await stripe.transfers.updateReversal(transfer.id, reversal.id, { metadata: { a: 'b' } });
  await stripe.transfers.listReversals(transfer.id);
  await stripe.transfers.retrieve(transfer.id, {
    expand: ['destination', 'destination_payment', 'balance_transaction'],
  });
  await stripe.transfers.list();
  await payouts(sandbox, id);
}

async function payouts(sandbox: TestSandbox, id: string): Promise<void> {
  const { stripe } = sandbox;
  const account = { stripeAccount: id };
  const payout = await stripe.payouts.create({ amount: 10_00, currency: 'usd' }, account);
  await stripe.payouts.update(payout.id, { metadata: { a: 'b' } }, account);
  await sandbox.control(`accounts/${id}`, { bank: 'refuses' });
  await sandbox.control('clock', { advance_seconds: DAY });
  await stripe.payouts.retrieve(payout.id, { expand: ['balance_transaction'] }, account);
  await stripe.payouts.list({}, account);
  await stripe.balanceTransactions.list({ expand: ['data.source'] }, account);
  await stripe.balanceSettings.retrieve({}, account);
  await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'manual' } } } }, account);
  await stripe.balance.retrieve({}, account);
  const { data } = await stripe.balanceTransactions.list({ limit: 100, expand: ['data.source'] });
  await stripe.balanceTransactions.retrieve(data[0]?.id ?? '');
}

async function webhooks({ stripe, sandbox }: TestSandbox): Promise<void> {
  await sandbox.idle();
  const events = await stripe.events.list({ limit: 10, types: ['charge.succeeded', 'refund.created'] });
  await stripe.events.retrieve(events.data[0]?.id ?? '');
  const made = await stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:9/hook', enabled_events: ['*'] });
  await stripe.webhookEndpoints.update(made.id, { description: 'x' });
  await stripe.webhookEndpoints.retrieve(made.id);
  await stripe.webhookEndpoints.list();
  await stripe.webhookEndpoints.del(made.id);
}

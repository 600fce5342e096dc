import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestWorld } from '#tests/support/sandbox-world.ts';

/** The fields that API version 2026-10-28.endive always sends, nullable ones included. */
const FIELDS = {
  'checkout.session':
    'id object automatic_tax created custom_fields custom_text expires_at livemode mode payment_method_types payment_status shipping_options adaptive_pricing after_expiration allow_promotion_codes allowed_payment_method_types amount_subtotal amount_total billing_address_collection cancel_url client_reference_id client_secret collected_information consent consent_collection currency currency_conversion customer customer_account customer_creation customer_details customer_email discounts integration_identifier invoice invoice_creation locale managed_payments metadata origin_context payment_intent payment_link payment_method_collection payment_method_configuration_details payment_method_options permissions recovered_from saved_payment_method_options setup_intent shipping_address_collection shipping_cost status submit_type subscription success_url total_details ui_mode url wallet_options',
  item: 'id object amount_discount amount_subtotal amount_tax amount_total currency adjustable_quantity description metadata price quantity',
  price:
    'id object active billing_scheme created currency livemode metadata product type custom_unit_amount lookup_key nickname recurring tax_behavior tiers_mode transform_quantity unit_amount unit_amount_decimal',
  payment_intent:
    'id object amount amount_capturable amount_received capture_method confirmation_method created currency livemode metadata payment_method_types status allowed_payment_method_types application application_fee_amount automatic_payment_methods canceled_at cancellation_reason client_secret customer customer_account description excluded_payment_method_types last_payment_error latest_charge managed_payments next_action on_behalf_of payment_method payment_method_configuration_details payment_method_options payment_record processing receipt_email review setup_future_usage shipping source statement_descriptor statement_descriptor_suffix transfer_group',
  charge:
    'id object amount amount_captured amount_refunded billing_details captured created currency disputed livemode metadata paid refunded status application application_fee application_fee_amount balance_transaction calculated_statement_descriptor customer description failure_balance_transaction failure_code failure_message fraud_details on_behalf_of outcome payment_intent payment_method payment_method_details receipt_email receipt_number receipt_url review shipping source source_transfer statement_descriptor statement_descriptor_suffix transfer_data transfer_group',
  card: 'exp_month exp_year amount_authorized authorization_code brand checks country electronic_commerce_indicator funding installments last4 mandate network network_transaction_id regulated_status three_d_secure transaction_link_id wallet',
  outcome: 'type advice_code network_advice_code network_decline_code network_status reason seller_message',
  refund:
    'id object amount created currency balance_transaction charge customer customer_account metadata payment_intent payment_method reason receipt_number source_transfer_reversal status transfer_reversal',
  transfer:
    'id object amount amount_reversed created currency livemode metadata reversals reversed balance_transaction description destination source_transaction transfer_group',
  transfer_reversal:
    'id object amount created currency transfer balance_transaction destination_payment_refund metadata source_refund',
  balance: 'object available livemode pending',
  balance_transaction:
    'id object amount available_on balance_type created currency fee fee_details net reporting_category status type description exchange_rate source',
  payout:
    'id object amount arrival_date automatic created currency livemode method reconciliation_status source_type status type application_fee application_fee_amount balance_transaction description destination failure_balance_transaction failure_code failure_message metadata original_payout payout_method reversed_by statement_descriptor trace_id',
  webhook_endpoint: 'id object created enabled_events livemode metadata status url api_version application description',
  account: 'id object charges_enabled details_submitted payouts_enabled type email',
  login_link: 'object created url',
  event: 'id object created data livemode pending_webhooks type api_version request',
  'v2.core.account':
    'id object applied_configurations created livemode configuration contact_email dashboard defaults display_name identity metadata requirements',
  'v2.core.account_link': 'object account created expires_at livemode url use_case',
};

let world: TestWorld;
let found: Map<string, object>;
beforeAll(async () => {
  world = await TestWorld.open();
  found = await oneOfEach();
});
afterAll(() => world.close());

it.each(Object.entries(FIELDS))('%s has every field, none undefined', (name, fields) => {
  const given = found.get(name) ?? {};
  expect(fields.split(' ').filter((field) => !Object.hasOwn(given, field))).toEqual([]);
});

async function oneOfEach(): Promise<Map<string, object>> {
  const { stripe } = world;
  const session = await world.openSession();
  await world.pay(session.url ?? '', '4000000000000077');
  const paid = await stripe.checkout.sessions.retrieve(session.id);
  const payment_intent = String(paid.payment_intent);
  const intent = await stripe.paymentIntents.retrieve(payment_intent);
  const charge = await stripe.charges.retrieve(String(intent.latest_charge));
  const [line] = (await stripe.checkout.sessions.listLineItems(session.id)).data;
  const refund = await stripe.refunds.create({ payment_intent, amount: 100 });
  const account = await world.onboardedAccount();
  const transfer = await stripe.transfers.create({ amount: 1000, currency: 'usd', destination: account.id });
  const reversal = await stripe.transfers.createReversal(transfer.id, { amount: 10 });
  await world.control('clock', { advance_seconds: 24 * 3600 });
  const [payout] = (await stripe.payouts.list({}, { stripeAccount: account.id })).data;
  const [endpoint] = (await stripe.webhookEndpoints.list()).data;
  const objects: [string, object | null | undefined][] = [
    ['checkout.session', paid],
    ['item', line],
    ['price', line?.price],
    ['payment_intent', intent],
    ['charge', charge],
    ['card', charge.payment_method_details?.card],
    ['outcome', charge.outcome],
    ['refund', refund],
    ['transfer', transfer],
    ['transfer_reversal', reversal],
    ['balance', await stripe.balance.retrieve()],
    ['balance_transaction', await stripe.balanceTransactions.retrieve(String(charge.balance_transaction))],
    ['payout', payout],
    ['webhook_endpoint', endpoint],
    ['account', await stripe.accounts.retrieve(account.id)],
    ['login_link', await stripe.accounts.createLoginLink(account.id)],
    ['event', (await stripe.events.list({ limit: 1 })).data[0]],
    ['v2.core.account', account],
    ['v2.core.account_link', await world.accountLink(account.id)],
  ];
  return new Map(objects.map(([name, object]) => [name, object ?? {}]));
}

/** Connected accounts are paid out by themselves, at the midnight (UTC) after their money became available. */

import { tell } from './events.ts';
import { newId } from './ids.ts';
import { balanceOf, lockBalance, post } from './money.ts';
import { insertObject } from './objects.ts';
import type { Payout } from './shapes/payout.ts';
import { stamp, type Work } from './work.ts';

/** One row for each connected account with money to pay out, and when. */
export const PAYOUTS_DUE = `
  select account, (floor(max(available_on) filter (where net > 0) / 86400) + 1) * 86400 as due
    from sandbox.balance_transactions
   where account is not null and status = 'available'
   group by account having sum(net) > 0`;

export async function payOutConnectedAccounts(work: Work): Promise<void> {
  const { rows } = await work.tx.query<{ account: string }>(
    `select account from (${PAYOUTS_DUE}) as payouts where due <= $1`,
    [work.now],
  );
  for (const { account } of rows) {
    await lockBalance(work, account);
    const { available } = await balanceOf(work, account);
    if (available > 0) await payOut({ ...work, account }, account, available);
  }
}

async function payOut(work: Work, account: string, amount: number): Promise<void> {
  const id = newId('po');
  const body: Payout = {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: stamp(work),
    automatic: true,
    balance_transaction: await post(work, {
      account,
      amount: -amount,
      type: 'payout',
      reportingCategory: 'payout',
      source: id,
      description: 'STRIPE PAYOUT',
    }),
    created: stamp(work),
    currency: 'usd',
    description: 'STRIPE PAYOUT',
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'paid',
    trace_id: null,
    type: 'bank_account',
  };
  await insertObject<'payout'>(work, body, {});
  await tell(work, 'payout.created', { ...body, status: 'pending' }, { account });
  await tell(work, 'payout.paid', body, { account });
}

/**
 * Money on its way to a bank. Connected accounts are paid out by themselves, at the midnight (UTC) after their money
 * became available; the platform only when it has asked for that, since it keeps its money to pay organizers.
 */

import { payoutsRefused } from './accounts.ts';
import { invalidRequest } from './api/errors.ts';
import { tell } from './events.ts';
import { newId } from './ids.ts';
import { balanceOf, lockBalance, post } from './balances.ts';
import { findObject, insertObject, type Kept, lockObject, saveObject } from './objects.ts';
import type { Metadata } from './shapes/metadata.ts';
import type { Payout } from './shapes/payout.ts';
import { stamp, type Work } from './operation-context.ts';

const BANK_SECONDS = 60;

const NEXT_MIDNIGHT = '(floor(max(t.available_on) filter (where t.net > 0) / 86400) + 1) * 86400';

/** One row for each balance that is paid out by itself, and when. */
export const SWEEPS_DUE = `
  select t.account, ${NEXT_MIDNIGHT} as due
    from sandbox.balance_transactions t
    join sandbox.objects a on a.id = t.account
    left join sandbox.balance_settings s on s.owner = t.account
   where t.account is not null and t.status = 'available' and coalesce(s.interval, 'daily') = 'daily'
     and a.body#>>'{configuration,recipient,capabilities,stripe_balance,payouts,status}' = 'active'
   group by t.account having sum(t.net) > 0
  union all
  select null, ${NEXT_MIDNIGHT}
    from sandbox.balance_transactions t
   where t.account is null and t.status = 'available'
     and exists (select from sandbox.balance_settings where owner = 'platform' and interval = 'daily')
  having sum(t.net) > 0`;

export async function payOutConnectedAccounts(work: Work): Promise<void> {
  await settlePayouts(work);
  const { rows } = await work.tx.query<{ account: string | null }>(
    `select account from (${SWEEPS_DUE}) as sweeps where due <= $1`,
    [work.now],
  );
  for (const { account } of rows) {
    await lockBalance(work, account);
    const { available } = await balanceOf(work, account);
    if (available <= 0) continue;
    const { id } = await payOut({ ...work, account }, { ...AUTOMATIC, amount: available });
    await work.tx.query(
      `update sandbox.balance_transactions set payout = $2
        where account is not distinct from $1 and payout is null and status = 'available'`,
      [account, id],
    );
  }
}

export interface PayoutWish {
  amount: number;
  automatic: boolean;
  description: string | null;
  statementDescriptor: string | null;
  metadata: Metadata;
}

const AUTOMATIC = { automatic: true, description: 'STRIPE PAYOUT', statementDescriptor: null, metadata: {} };

/** Asked for by the account in `work`. */
export async function payOutNow(work: Work, wish: PayoutWish): Promise<Payout> {
  const owner = work.account === null ? null : await findObject(work, 'v2.core.account', work.account);
  if (owner && owner.body.configuration.recipient?.capabilities.stripe_balance.payouts.status !== 'active') {
    throw invalidRequest('Cannot create payouts: this account has requirements that need to be completed.', {
      code: 'payouts_not_allowed',
    });
  }
  await lockBalance(work, work.account);
  const { available } = await balanceOf(work, work.account);
  if (available < wish.amount) {
    throw invalidRequest(
      'You have insufficient funds in your Stripe account for this transfer. Your card balance is too low. You can use the /v1/balance endpoint to view your Stripe balance (for more details, see stripe.com/docs/api#balance).',
      { code: 'balance_insufficient' },
    );
  }
  return await payOut(work, wish);
}

async function payOut(work: Work, wish: PayoutWish): Promise<Payout> {
  const { account } = work;
  const id = newId('po');
  const body: Payout = {
    id,
    object: 'payout',
    amount: wish.amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: stamp(work) + BANK_SECONDS,
    automatic: wish.automatic,
    balance_transaction: await post(work, {
      account,
      amount: -wish.amount,
      type: 'payout',
      reportingCategory: 'payout',
      source: id,
      description: wish.description,
    }),
    created: stamp(work),
    currency: 'usd',
    description: wish.description,
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: wish.metadata,
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: wish.automatic ? 'in_progress' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: wish.statementDescriptor,
    status: 'pending',
    trace_id: null,
    type: 'bank_account',
  };
  await insertObject<'payout'>(work, body, { settlesAt: work.now + BANK_SECONDS });
  await tell(work, 'payout.created', body, account ? { account } : {});
  return body;
}

async function settlePayouts(work: Work): Promise<void> {
  const { rows } = await work.tx.query<{ id: string; account: string | null }>(
    `select id, account from sandbox.objects
      where kind = 'payout' and due_at <= $1 order by due_at`,
    [work.now],
  );
  for (const { id, account } of rows) {
    const payout = await lockObject(work, 'payout', id);
    // Another process may have been first.
    if (!payout || payout.inside.settlesAt === null) continue;
    const owner = account === null ? null : await lockObject(work, 'v2.core.account', account);
    payout.inside.settlesAt = null;
    if (owner?.inside.bank === 'refuses') await sendBack({ ...work, account }, payout, owner);
    else await arrive({ ...work, account }, payout);
  }
}

async function arrive(work: Work, payout: Kept<'payout'>): Promise<void> {
  payout.body.status = 'paid';
  if (payout.body.automatic) payout.body.reconciliation_status = 'completed';
  await saveObject(work, payout);
  await tell(work, 'payout.paid', payout.body, {
    ...(work.account ? { account: work.account } : {}),
    previous: { status: 'pending' },
  });
}

/** The bank refused: the money is back on the balance, and stays there until the account has another bank. */
async function sendBack(work: Work, payout: Kept<'payout'>, owner: Kept<'v2.core.account'>): Promise<void> {
  const { body } = payout;
  Object.assign(body, {
    status: 'failed',
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
    failure_balance_transaction: await post(work, {
      account: work.account,
      amount: body.amount,
      type: 'payout_failure',
      reportingCategory: 'payout_reversal',
      source: body.id,
    }),
  } satisfies Partial<Payout>);
  await saveObject(work, payout);
  await tell(work, 'payout.failed', body, { account: owner.body.id, previous: { status: 'pending' } });
  await payoutsRefused({ ...work, account: null }, owner);
}

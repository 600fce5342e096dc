/**
 * Payouts to bank accounts. Connected accounts are paid out automatically at the first midnight (UTC) after funds become
 * available. The platform is paid out automatically only after it opts in.
 */

import { disablePayouts } from '#sandbox/accounts/accounts.ts';
import { invalidRequest } from '#sandbox/api/errors.ts';
import { newId } from '#sandbox/ids.ts';
import { findObject, insertObject, lockObject, type Stored, saveObject } from '#sandbox/objects.ts';
import { type OperationContext, timestamp } from '#sandbox/operation-context.ts';
import type { Metadata } from '#sandbox/shapes/metadata.ts';
import type { Payout } from '#sandbox/shapes/payout.ts';
import { emitEvent } from '#sandbox/webhooks/events.ts';
import { lockBalance, readBalance, recordBalanceTransaction } from './balances.ts';

const ARRIVAL_SECONDS = 60;

const NEXT_MIDNIGHT = '(floor(max(t.available_on) filter (where t.net > 0) / 86400) + 1) * 86400';

/** Balances with an automatic payout, and when it is due. */
export const AUTOMATIC_PAYOUTS_DUE = `
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

export async function runAutomaticPayouts(ctx: OperationContext): Promise<void> {
  await settlePayouts(ctx);
  const { rows } = await ctx.tx.query<{ account: string | null }>(
    `select account from (${AUTOMATIC_PAYOUTS_DUE}) as automatic_payouts where due <= $1`,
    [ctx.now],
  );
  for (const { account } of rows) {
    await lockBalance(ctx, account);
    const { available } = await readBalance(ctx, account);
    if (available <= 0) continue;
    const { id } = await createPayout({ ...ctx, account }, { ...AUTOMATIC, amount: available });
    await ctx.tx.query(
      `update sandbox.balance_transactions set payout = $2
        where account is not distinct from $1 and payout is null and status = 'available'`,
      [account, id],
    );
  }
}

export interface PayoutRequest {
  amount: number;
  automatic: boolean;
  description: string | null;
  statementDescriptor: string | null;
  metadata: Metadata;
}

const AUTOMATIC = { automatic: true, description: 'STRIPE PAYOUT', statementDescriptor: null, metadata: {} };

/** Created on behalf of the account in `ctx`. */
export async function createManualPayout(ctx: OperationContext, request: PayoutRequest): Promise<Payout> {
  const owner = ctx.account === null ? null : await findObject(ctx, 'v2.core.account', ctx.account);
  if (owner && owner.body.configuration.recipient?.capabilities.stripe_balance.payouts.status !== 'active') {
    throw invalidRequest('Cannot create payouts: this account has requirements that need to be completed.', {
      code: 'payouts_not_allowed',
    });
  }
  await lockBalance(ctx, ctx.account);
  const { available } = await readBalance(ctx, ctx.account);
  if (available < request.amount) {
    throw invalidRequest(
      'You have insufficient funds in your Stripe account for this transfer. Your card balance is too low. You can use the /v1/balance endpoint to view your Stripe balance (for more details, see stripe.com/docs/api#balance).',
      { code: 'balance_insufficient' },
    );
  }
  return await createPayout(ctx, request);
}

async function createPayout(ctx: OperationContext, request: PayoutRequest): Promise<Payout> {
  const { account } = ctx;
  const id = newId('po');
  const body: Payout = {
    id,
    object: 'payout',
    amount: request.amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: timestamp(ctx) + ARRIVAL_SECONDS,
    automatic: request.automatic,
    balance_transaction: await recordBalanceTransaction(ctx, {
      account,
      amount: -request.amount,
      type: 'payout',
      reportingCategory: 'payout',
      source: id,
      description: request.description,
    }),
    created: timestamp(ctx),
    currency: 'usd',
    description: request.description,
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: request.metadata,
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: request.automatic ? 'in_progress' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: request.statementDescriptor,
    status: 'pending',
    trace_id: null,
    type: 'bank_account',
  };
  await insertObject<'payout'>(ctx, body, { settlesAt: ctx.now + ARRIVAL_SECONDS });
  await emitEvent(ctx, 'payout.created', body, account ? { account } : {});
  return body;
}

async function settlePayouts(ctx: OperationContext): Promise<void> {
  const { rows } = await ctx.tx.query<{ id: string; account: string | null }>(
    `select id, account from sandbox.objects
      where kind = 'payout' and due_at <= $1 order by due_at`,
    [ctx.now],
  );
  for (const { id, account } of rows) {
    const payout = await lockObject(ctx, 'payout', id);
    // Another process may have settled it first.
    if (!payout || payout.inside.settlesAt === null) continue;
    const owner = account === null ? null : await lockObject(ctx, 'v2.core.account', account);
    payout.inside.settlesAt = null;
    if (owner?.inside.bank === 'refuses') await failPayout({ ...ctx, account }, payout, owner);
    else await markPaid({ ...ctx, account }, payout);
  }
}

async function markPaid(ctx: OperationContext, payout: Stored<'payout'>): Promise<void> {
  payout.body.status = 'paid';
  if (payout.body.automatic) payout.body.reconciliation_status = 'completed';
  await saveObject(ctx, payout);
  await emitEvent(ctx, 'payout.paid', payout.body, {
    ...(ctx.account ? { account: ctx.account } : {}),
    previous: { status: 'pending' },
  });
}

/** Returns the amount to the balance and disables payouts until the account adds another bank account. */
async function failPayout(
  ctx: OperationContext,
  payout: Stored<'payout'>,
  owner: Stored<'v2.core.account'>,
): Promise<void> {
  const { body } = payout;
  Object.assign(body, {
    status: 'failed',
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
    failure_balance_transaction: await recordBalanceTransaction(ctx, {
      account: ctx.account,
      amount: body.amount,
      type: 'payout_failure',
      reportingCategory: 'payout_reversal',
      source: body.id,
    }),
  } satisfies Partial<Payout>);
  await saveObject(ctx, payout);
  await emitEvent(ctx, 'payout.failed', body, { account: owner.body.id, previous: { status: 'pending' } });
  await disablePayouts({ ...ctx, account: null }, owner);
}

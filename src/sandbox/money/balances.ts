/** Balances are sums of balance transactions, of the platform (account null) or of a connected account. */

import { newId } from '#sandbox/ids.ts';
import type { OperationContext } from '#sandbox/operation-context.ts';
import { emitEvent } from '#sandbox/webhooks/events.ts';

const FEE_BASIS_POINTS = 290;
const FEE_FIXED_CENTS = 30;
const DAY = 24 * 60 * 60;
const SETTLEMENT_SECONDS = 2 * DAY;

/** Stripe's processing fee, rounded half up. */
export const processingFeeCents = (amount: number) =>
  Math.floor((amount * FEE_BASIS_POINTS + 5000) / 10_000) + FEE_FIXED_CENTS;

/** Card funds become available two days after the charge. */
export const availableAt = (chargedAt: number) => chargedAt + SETTLEMENT_SECONDS;

export interface BalanceTransactionInput {
  account: string | null;
  amount: number;
  fee?: number;
  type:
    | 'charge'
    | 'refund'
    | 'refund_failure'
    | 'transfer'
    | 'transfer_refund'
    | 'payment'
    | 'payment_refund'
    | 'adjustment'
    | 'payout'
    | 'payout_failure';
  reportingCategory: string;
  source: string;
  description?: string | null;
  /** Defaults to now. */
  availableOn?: number;
}

export async function recordBalanceTransaction(ctx: OperationContext, input: BalanceTransactionInput): Promise<string> {
  const id = newId('txn');
  const {
    account,
    amount,
    fee = 0,
    type,
    reportingCategory,
    source,
    description = null,
    availableOn = ctx.now,
  } = input;
  await lockBalance(ctx, account);
  await ctx.tx.query(
    `insert into sandbox.balance_transactions
       (id, account, amount, fee, net, type, reporting_category, description, source, created, available_on, status)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      id,
      account,
      amount,
      fee,
      amount - fee,
      type,
      reportingCategory,
      description,
      source,
      ctx.now,
      availableOn,
      availableOn <= ctx.now ? 'available' : 'pending',
    ],
  );
  return id;
}

/** Locks the balance until the transaction ends, so that a check and the transaction it allows are atomic. */
export async function lockBalance({ tx }: Pick<OperationContext, 'tx'>, account: string | null): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `sandbox balance of ${account ?? 'the platform'}`,
  ]);
}

export async function readBalance(
  { tx }: Pick<OperationContext, 'tx'>,
  account: string | null,
): Promise<{ available: number; pending: number }> {
  const { rows } = await tx.query<{ available: number; pending: number }>(
    `select coalesce(sum(net) filter (where status = 'available'), 0)::float8 as available,
            coalesce(sum(net) filter (where status = 'pending'), 0)::float8 as pending
       from sandbox.balance_transactions where account is not distinct from $1`,
    [account],
  );
  return rows[0] ?? { available: 0, pending: 0 };
}

/** Makes pending funds available once they settle, and emits `balance.available`. */
export async function releaseSettledFunds(ctx: OperationContext): Promise<void> {
  const { rows } = await ctx.tx.query<{ account: string | null }>(
    `select distinct account from sandbox.balance_transactions where status = 'pending' and available_on <= $1`,
    [ctx.now],
  );
  for (const { account } of rows) {
    await lockBalance(ctx, account);
    const { rowCount } = await ctx.tx.query(
      `update sandbox.balance_transactions set status = 'available'
        where account is not distinct from $1 and status = 'pending' and available_on <= $2`,
      [account, ctx.now],
    );
    // Another process may have released them first.
    if (rowCount)
      await emitEvent(ctx, 'balance.available', await toBalanceObject(ctx, account), account ? { account } : {});
  }
}

/** The `balance` object. */
export async function toBalanceObject(ctx: Pick<OperationContext, 'tx'>, account: string | null): Promise<object> {
  const { available, pending } = await readBalance(ctx, account);
  const inCents = (amount: number) => [{ amount, currency: 'usd', source_types: { card: amount } }];
  return { object: 'balance', available: inCents(available), livemode: false, pending: inCents(pending) };
}

/** SQL expression for the `balance_transaction` object. */
export const BALANCE_TRANSACTION_AS_JSON = `json_build_object(
  'id', id, 'object', 'balance_transaction', 'amount', amount, 'available_on', floor(available_on),
  'balance_type', 'payments', 'created', floor(created), 'currency', 'usd', 'description', description,
  'exchange_rate', null, 'fee', fee,
  'fee_details', case when fee = 0 then '[]'::json else json_build_array(json_build_object(
     'amount', fee, 'application', null, 'currency', 'usd',
     'description', case type when 'adjustment' then 'Dispute fee' else 'Stripe processing fees' end, 'type', 'stripe_fee')) end,
  'net', net, 'reporting_category', reporting_category, 'source', source, 'status', status, 'type', type)`;

export async function findBalanceTransaction(
  { tx, account }: Pick<OperationContext, 'tx' | 'account'>,
  id: string,
): Promise<object | null> {
  const { rows } = await tx.query<{ object: object }>(
    `select ${BALANCE_TRANSACTION_AS_JSON} as object from sandbox.balance_transactions
      where id = $1 and account is not distinct from $2`,
    [id, account],
  );
  return rows[0]?.object ?? null;
}

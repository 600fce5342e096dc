/** Payout schedules: `balance_settings`. */

import type { OperationContext } from '#sandbox/operation-context.ts';

export type Interval = 'manual' | 'daily';

const ownerOf = ({ account }: Pick<OperationContext, 'account'>) => account ?? 'platform';

/** The platform pays out manually, because it transfers its balance to organizers. Connected accounts pay out daily. */
const defaultInterval = ({ account }: Pick<OperationContext, 'account'>): Interval =>
  account === null ? 'manual' : 'daily';

export async function updateBalanceSettings(
  ctx: OperationContext,
  { interval, statementDescriptor }: { interval: Interval | undefined; statementDescriptor: string | undefined },
): Promise<void> {
  await ctx.tx.query(
    `insert into sandbox.balance_settings (owner, interval, statement_descriptor)
     values ($1, coalesce($2, $4), $3)
     on conflict (owner) do update set interval = coalesce($2, balance_settings.interval),
       statement_descriptor = coalesce($3, balance_settings.statement_descriptor)`,
    [ownerOf(ctx), interval ?? null, statementDescriptor ?? null, defaultInterval(ctx)],
  );
}

/** The `balance_settings` object. */
export async function readBalanceSettings(ctx: OperationContext): Promise<object> {
  const { rows } = await ctx.tx.query<{ interval: Interval; statementDescriptor: string | null }>(
    `select interval, statement_descriptor as "statementDescriptor" from sandbox.balance_settings where owner = $1`,
    [ownerOf(ctx)],
  );
  const { interval, statementDescriptor } = rows[0] ?? { interval: defaultInterval(ctx), statementDescriptor: null };
  return {
    object: 'balance_settings',
    payments: {
      debit_negative_balances: false,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: null,
        schedule: { interval },
        statement_descriptor: statementDescriptor,
        status: 'enabled',
      },
      settlement_timing: { delay_days: 2, start_of_day: null },
    },
  };
}

/** /v1/balance, /v1/balance_transactions and /v1/balance_settings, for the platform or the account in Stripe-Account */

import { readBalanceSettings, updateBalanceSettings } from '#sandbox/money/balance-settings.ts';
import { BALANCE_TRANSACTION_AS_JSON, findBalanceTransaction, toBalanceObject } from '#sandbox/money/balances.ts';
import { findOwnObject } from '../../objects.ts';
import type { OperationContext } from '../../operation-context.ts';
import { invalidRequest, resourceMissing } from '../errors.ts';
import { Conditions, created, listPage, paging } from '../list.ts';
import { object, oneOf, optional, parameters, text, usd } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const TRANSACTIONS = '/v1/balance_transactions';
const SETTINGS = '/v1/balance_settings';
const TABLE = {
  from: 'sandbox.balance_transactions',
  select: BALANCE_TRANSACTION_AS_JSON,
  objectName: 'balance_transaction',
};

async function requireAutomaticPayout(ctx: OperationContext, id: string): Promise<void> {
  const payout = await findOwnObject(ctx, 'payout', id);
  if (!payout) throw resourceMissing('payout', id, 'payout', 400);
  if (!payout.body.automatic) {
    throw invalidRequest('Balance transaction history can only be filtered on automatic transfers, not manual.', {
      param: 'payout',
    });
  }
}

export const balanceRoutes: Route[] = [
  route('GET', '/v1/balance', parameters({}), (ctx) => toBalanceObject(ctx, ctx.account)),

  route(
    'GET',
    TRANSACTIONS,
    parameters({
      ...paging,
      created,
      type: optional(text),
      source: optional(text),
      payout: optional(text),
      currency: optional(usd),
    }),
    async (ctx, { type, source, payout, ...page }) => {
      if (payout !== undefined) await requireAutomaticPayout(ctx, payout);
      const where = new Conditions()
        .add((p) => `type = ${p}`, type)
        .add((p) => `source = ${p}`, source)
        .add((p) => `payout = ${p}`, payout)
        .addTimeRange(page.created)
        .ownedBy(ctx.account);
      return await listPage(ctx, TABLE, where, page, TRANSACTIONS);
    },
  ),

  route('GET', `${TRANSACTIONS}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const found = await findBalanceTransaction(ctx, id);
    if (!found) throw resourceMissing('balance transaction', id);
    return found;
  }),

  route('GET', SETTINGS, parameters({}), readBalanceSettings),

  route(
    'POST',
    SETTINGS,
    parameters({
      payments: optional(
        object({
          payouts: optional(
            object({
              schedule: optional(object({ interval: optional(oneOf('manual', 'daily')) })),
              statement_descriptor: optional(text),
            }),
          ),
        }),
      ),
    }),
    async (ctx, { payments }) => {
      const payouts = payments?.payouts;
      await updateBalanceSettings(ctx, {
        interval: payouts?.schedule?.interval,
        statementDescriptor: payouts?.statement_descriptor,
      });
      return await readBalanceSettings(ctx);
    },
  ),
];

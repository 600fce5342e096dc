/** /v1/balance, /v1/balance_transactions and /v1/balance_settings, of the platform or of the account in Stripe-Account */

import { balanceSettings, changeBalanceSettings } from '../../balance-settings.ts';
import { BALANCE_TRANSACTION_AS_JSON, balanceObject, findBalanceTransaction } from '../../balances.ts';
import { findOwn } from '../../objects.ts';
import type { Work } from '../../operation-context.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import { Conditions, created, pageOf, paging } from '../list.ts';
import { choice, object, optional, parameters, text, usd } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const TRANSACTIONS = '/v1/balance_transactions';
const SETTINGS = '/v1/balance_settings';
const TABLE = {
  from: 'sandbox.balance_transactions',
  select: BALANCE_TRANSACTION_AS_JSON,
  noun: 'balance_transaction',
};

async function checkPayout(work: Work, id: string): Promise<void> {
  const payout = await findOwn(work, 'payout', id);
  if (!payout) throw noSuch('payout', id, 'payout', 400);
  if (!payout.body.automatic) {
    throw invalidRequest('Balance transaction history can only be filtered on automatic transfers, not manual.', {
      param: 'payout',
    });
  }
}

export const balanceRoutes: Route[] = [
  route('GET', '/v1/balance', parameters({}), (work) => balanceObject(work, work.account)),

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
    async (work, { type, source, payout, ...page }) => {
      if (payout !== undefined) await checkPayout(work, payout);
      const where = new Conditions()
        .add((p) => `type = ${p}`, type)
        .add((p) => `source = ${p}`, source)
        .add((p) => `payout = ${p}`, payout)
        .addMoments(page.created)
        .ownedBy(work.account);
      return await pageOf(work, TABLE, where, page, TRANSACTIONS);
    },
  ),

  route('GET', `${TRANSACTIONS}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const found = await findBalanceTransaction(work, id);
    if (!found) throw noSuch('balance transaction', id);
    return found;
  }),

  route('GET', SETTINGS, parameters({}), balanceSettings),

  route(
    'POST',
    SETTINGS,
    parameters({
      payments: optional(
        object({
          payouts: optional(
            object({
              schedule: optional(object({ interval: optional(choice('manual', 'daily')) })),
              statement_descriptor: optional(text),
            }),
          ),
        }),
      ),
    }),
    async (work, { payments }) => {
      const payouts = payments?.payouts;
      await changeBalanceSettings(work, {
        interval: payouts?.schedule?.interval,
        statementDescriptor: payouts?.statement_descriptor,
      });
      return await balanceSettings(work);
    },
  ),
];

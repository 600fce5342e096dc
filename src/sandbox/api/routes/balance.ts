/** /v1/balance, /v1/balance_transactions and /v1/balance_settings, of the platform or of the account in Stripe-Account */

import { BALANCE_TRANSACTION_AS_JSON, balanceObject, findBalanceTransaction } from '../../money.ts';
import { noSuch } from '../errors.ts';
import { Conditions, created, pageOf, paging } from '../list.ts';
import { optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const TRANSACTIONS = '/v1/balance_transactions';
const TABLE = {
  from: 'sandbox.balance_transactions',
  select: BALANCE_TRANSACTION_AS_JSON,
  noun: 'balance_transaction',
};

export const balanceRoutes: Route[] = [
  route('GET', '/v1/balance', parameters({}), (work) => balanceObject(work, work.account)),

  route(
    'GET',
    TRANSACTIONS,
    parameters({ ...paging, created, type: optional(text), source: optional(text) }),
    (work, { type, source, ...page }) => {
      const where = new Conditions()
        .add((p) => `account is not distinct from ${p}`, work.account)
        .add((p) => `type = ${p}`, type)
        .add((p) => `source = ${p}`, source)
        .addMoments(page.created);
      return pageOf(work, TABLE, where, page, TRANSACTIONS);
    },
  ),

  route('GET', `${TRANSACTIONS}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const found = await findBalanceTransaction(work, id);
    if (!found) throw noSuch('balance transaction', id);
    return found;
  }),

  route('GET', '/v1/balance_settings', parameters({}), async () => ({
    object: 'balance_settings',
    payments: {
      debit_negative_balances: false,
      // The platform keeps its money until it pays organizers: never swept to a bank.
      payouts: {
        minimum_balance_by_currency: null,
        schedule: { interval: 'manual' },
        statement_descriptor: null,
        status: 'enabled',
      },
      settlement_timing: { delay_days: 2, delay_days_override: null },
    },
  })),
];

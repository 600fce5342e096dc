/** Replaces ids by the objects they name, along the paths of `expand[]`. */

import { v1View } from '../accounts.ts';
import { findBalanceTransaction } from '../money.ts';
import { findObject, objectsWhere } from '../objects.ts';
import type { Work } from '../work.ts';
import { invalidRequest } from './errors.ts';

type Wire = Record<string, unknown>;
type Load = (work: Work, id: string, owner: Wire) => Promise<object | null>;

const stored =
  (kind: 'payment_intent' | 'charge' | 'transfer' | 'refund'): Load =>
  async (work, id) =>
    (await findObject(work, kind, id))?.body ?? null;

const account: Load = async (work, id) => {
  const found = await findObject(work, 'v2.core.account', id);
  return found && v1View(found);
};

/** What a balance transaction is about: the first stored object of that id. */
const source: Load = async (work, id) => {
  const { rows } = await work.tx.query<{ body: object }>('select body from sandbox.objects where id = $1', [id]);
  return rows[0]?.body ?? null;
};

const listOf = (data: object[], url: string) => ({
  object: 'list',
  data,
  has_more: false,
  total_count: data.length,
  url,
});

const lineItems: Load = async (work, _id, owner) => {
  const session = await findObject(work, 'checkout.session', String(owner.id));
  return listOf(session?.inside.lines ?? [], `/v1/checkout/sessions/${String(owner.id)}/line_items`);
};

const refundsOfCharge: Load = async (work, _id, owner) => {
  const refunds = await objectsWhere(work, 'refund', 'charge', String(owner.id));
  return listOf(
    refunds.map(({ body }) => body),
    `/v1/charges/${String(owner.id)}/refunds`,
  );
};

const expandable: Record<string, Record<string, Load>> = {
  'checkout.session': { line_items: lineItems, payment_intent: stored('payment_intent') },
  payment_intent: { latest_charge: stored('charge') },
  charge: {
    balance_transaction: (work, id) => findBalanceTransaction(work, id),
    payment_intent: stored('payment_intent'),
    refunds: refundsOfCharge,
  },
  refund: {
    balance_transaction: (work, id) => findBalanceTransaction(work, id),
    charge: stored('charge'),
    failure_balance_transaction: (work, id) => findBalanceTransaction(work, id),
    payment_intent: stored('payment_intent'),
  },
  transfer: {
    balance_transaction: (work, id) => findBalanceTransaction(work, id),
    destination: account,
    source_transaction: stored('charge'),
  },
  transfer_reversal: {
    balance_transaction: (work, id) => findBalanceTransaction(work, id),
    transfer: stored('transfer'),
  },
  balance_transaction: { source },
  payout: { balance_transaction: (work, id) => findBalanceTransaction(work, id) },
};

const DEEPEST = 4;

export async function expand(work: Work, answer: object, paths: string[]): Promise<object> {
  if (paths.length === 0) return answer;
  // Objects may be shared with what is still to be saved: expansion happens on a copy.
  const copy: unknown = structuredClone(answer);
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.filter((step) => step !== 'data').length > DEEPEST) {
      throw invalidRequest(`You cannot expand more than ${DEEPEST} levels of a property (property: ${path}).`, {
        param: 'expand',
      });
    }
    await follow(work, copy, steps, path);
  }
  return isWire(copy) ? copy : answer;
}

async function follow(work: Work, at: unknown, [step, ...rest]: string[], path: string): Promise<void> {
  if (step === undefined || !isWire(at)) return;
  if (at.object === 'list' && step === 'data') {
    const data: unknown[] = Array.isArray(at.data) ? at.data : [];
    for (const item of data) await follow(work, item, rest, path);
    return;
  }
  const load = expandable[String(at.object)]?.[step];
  if (!load) throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  const value = at[step];
  const isVirtual = step === 'line_items' || step === 'refunds';
  if (typeof value === 'string' || (isVirtual && value === undefined)) at[step] = await load(work, String(value), at);
  await follow(work, at[step], rest, path);
}

const isWire = (value: unknown): value is Wire => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces ids by the objects they name, along the paths of `expand[]`. */

import { v1View } from '../accounts.ts';
import { findBalanceTransaction } from '../balances.ts';
import { findObject, objectsWhere } from '../objects.ts';
import type { Kind } from '../shapes/kinds.ts';
import type { Work } from '../operation-context.ts';
import { ApiRefusal } from './errors.ts';

type Wire = Record<string, unknown>;
type Load = (work: Work, id: string, owner: Wire) => Promise<object | null>;

/** A wrong `expand[]` is a wrong parameter: what the call had done is undone, and no answer is remembered. */
export class ExpandRefusal extends ApiRefusal {
  constructor(message: string) {
    super(400, { type: 'invalid_request_error', message, param: 'expand' });
  }
}

const stored =
  (kind: Kind): Load =>
  async (work, id) =>
    (await findObject(work, kind, id))?.body ?? null;

const account: Load = async (work, id) => {
  const found = await findObject(work, 'v2.core.account', id);
  return found && v1View(found);
};

/** Every object by its id, whatever it is and on whose side it stands: a transfer's payment stands on the other. */
const byId: Load = async (work, id) => {
  const { rows } = await work.tx.query<{ body: object }>('select body from sandbox.objects where id = $1', [id]);
  return rows[0]?.body ?? null;
};

const balanceTransaction: Load = (work, id) => findBalanceTransaction(work, id);

/** Stripe knows how to expand it; here it is always null. */
const nothing: Load = async () => null;

const listOf = (data: object[], url: string) => ({ object: 'list', data, has_more: false, url });

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

/** Absent until they are asked for. */
const virtual = ['line_items', 'refunds'];

const expandable: Record<string, Record<string, Load>> = {
  'checkout.session': {
    customer: nothing,
    invoice: nothing,
    line_items: lineItems,
    payment_intent: stored('payment_intent'),
    payment_link: nothing,
    setup_intent: nothing,
    subscription: nothing,
  },
  payment_intent: {
    application: nothing,
    customer: nothing,
    latest_charge: stored('charge'),
    on_behalf_of: nothing,
    review: nothing,
    source: nothing,
  },
  charge: {
    application: nothing,
    application_fee: nothing,
    balance_transaction: balanceTransaction,
    customer: nothing,
    failure_balance_transaction: balanceTransaction,
    on_behalf_of: nothing,
    payment_intent: stored('payment_intent'),
    refunds: refundsOfCharge,
    review: nothing,
    source_transfer: stored('transfer'),
  },
  dispute: { charge: stored('charge'), payment_intent: stored('payment_intent') },
  'radar.early_fraud_warning': { charge: stored('charge'), payment_intent: stored('payment_intent') },
  refund: {
    balance_transaction: balanceTransaction,
    charge: byId,
    customer: nothing,
    failure_balance_transaction: balanceTransaction,
    payment_intent: stored('payment_intent'),
    source_transfer_reversal: stored('transfer_reversal'),
    transfer_reversal: nothing,
  },
  transfer: {
    balance_transaction: balanceTransaction,
    destination: account,
    destination_payment: byId,
    source_transaction: stored('charge'),
  },
  transfer_reversal: {
    balance_transaction: balanceTransaction,
    destination_payment_refund: byId,
    source_refund: nothing,
    transfer: stored('transfer'),
  },
  balance_transaction: { source: byId },
  payout: {
    balance_transaction: balanceTransaction,
    destination: nothing,
    failure_balance_transaction: balanceTransaction,
    original_payout: nothing,
    reversed_by: nothing,
  },
};

const DEEPEST = 4;

export async function expand(work: Work, answer: object, paths: string[]): Promise<object> {
  if (paths.length === 0) return answer;
  // Objects may be shared with what is still to be saved: expansion happens on a copy.
  const copy: unknown = structuredClone(answer);
  const seen: Seen = new Map();
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.filter((step) => step !== 'data').length > DEEPEST) {
      throw new ExpandRefusal(`You cannot expand more than ${DEEPEST} levels of a property (property: ${path}).`);
    }
    await follow({ work, path, seen }, copy, steps);
  }
  return isWire(copy) ? copy : answer;
}

/** The same id stands in many rows of a list, and is read once. */
type Seen = Map<string, object | null>;
interface Walk {
  work: Work;
  path: string;
  seen: Seen;
}

async function follow(walk: Walk, at: unknown, [step, ...rest]: string[]): Promise<void> {
  if (step === undefined || !isWire(at)) return;
  if (at.object === 'list' && step === 'data') {
    const data: unknown[] = Array.isArray(at.data) ? at.data : [];
    for (const item of data) await follow(walk, item, rest);
    return;
  }
  const load = expandable[String(at.object)]?.[step];
  if (!load) throw new ExpandRefusal(`This property cannot be expanded (${walk.path}).`);
  const value = at[step];
  if (virtual.includes(step) && value === undefined) at[step] = await load(walk.work, '', at);
  else if (typeof value === 'string') at[step] = (await loadOnce(walk, load, value, at)) ?? value;
  await follow(walk, at[step], rest);
}

async function loadOnce({ work, seen }: Walk, load: Load, id: string, owner: Wire): Promise<object | null> {
  const known = seen.get(id);
  // Two rows must not share one object: what is expanded inside one would show in the other.
  if (known !== undefined) return structuredClone(known);
  const loaded = await load(work, id, owner);
  seen.set(id, structuredClone(loaded));
  return loaded;
}

const isWire = (value: unknown): value is Wire => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces ids with the objects they refer to, along the paths in `expand[]`. */

import { toV1Account } from '#sandbox/accounts/accounts.ts';
import { findBalanceTransaction } from '#sandbox/money/balances.ts';
import { findObject, findObjectsBy } from '../objects.ts';
import type { OperationContext } from '../operation-context.ts';
import type { Kind } from '../shapes/kinds.ts';
import { ApiError } from './errors.ts';

type ResponseObject = Record<string, unknown>;
type Loader = (ctx: OperationContext, id: string, owner: ResponseObject) => Promise<object | null>;

/** An invalid `expand[]` rolls back the call and, like any invalid parameter, stores no idempotent response. */
export class ExpandError extends ApiError {
  constructor(message: string) {
    super(400, { type: 'invalid_request_error', message, param: 'expand' });
  }
}

const byKind =
  (kind: Kind): Loader =>
  async (ctx, id) =>
    (await findObject(ctx, kind, id))?.body ?? null;

const v1Account: Loader = async (ctx, id) => {
  const found = await findObject(ctx, 'v2.core.account', id);
  return found && toV1Account(found);
};

/** Any object by id, of any account: a transfer's payment belongs to the connected account. */
const anyObject: Loader = async (ctx, id) => {
  const { rows } = await ctx.tx.query<{ body: object }>('select body from sandbox.objects where id = $1', [id]);
  return rows[0]?.body ?? null;
};

const balanceTransaction: Loader = (ctx, id) => findBalanceTransaction(ctx, id);

/** Expandable at Stripe, always null here. */
const alwaysNull: Loader = async () => null;

const listOf = (data: object[], url: string) => ({ object: 'list', data, has_more: false, url });

const lineItems: Loader = async (ctx, _id, owner) => {
  const session = await findObject(ctx, 'checkout.session', String(owner.id));
  return listOf(session?.inside.lines ?? [], `/v1/checkout/sessions/${String(owner.id)}/line_items`);
};

const refundsOfCharge: Loader = async (ctx, _id, owner) => {
  const refunds = await findObjectsBy(ctx, 'refund', 'charge', String(owner.id));
  return listOf(
    refunds.map(({ body }) => body),
    `/v1/charges/${String(owner.id)}/refunds`,
  );
};

/** Left out unless expanded. */
const includedOnRequest = ['line_items', 'refunds'];

const expandable: Record<string, Record<string, Loader>> = {
  'checkout.session': {
    customer: alwaysNull,
    invoice: alwaysNull,
    line_items: lineItems,
    payment_intent: byKind('payment_intent'),
    payment_link: alwaysNull,
    setup_intent: alwaysNull,
    subscription: alwaysNull,
  },
  payment_intent: {
    application: alwaysNull,
    customer: alwaysNull,
    latest_charge: byKind('charge'),
    on_behalf_of: alwaysNull,
    review: alwaysNull,
    source: alwaysNull,
  },
  charge: {
    application: alwaysNull,
    application_fee: alwaysNull,
    balance_transaction: balanceTransaction,
    customer: alwaysNull,
    failure_balance_transaction: balanceTransaction,
    on_behalf_of: alwaysNull,
    payment_intent: byKind('payment_intent'),
    refunds: refundsOfCharge,
    review: alwaysNull,
    source_transfer: byKind('transfer'),
  },
  dispute: { charge: byKind('charge'), payment_intent: byKind('payment_intent') },
  'radar.early_fraud_warning': { charge: byKind('charge'), payment_intent: byKind('payment_intent') },
  refund: {
    balance_transaction: balanceTransaction,
    charge: anyObject,
    customer: alwaysNull,
    failure_balance_transaction: balanceTransaction,
    payment_intent: byKind('payment_intent'),
    source_transfer_reversal: byKind('transfer_reversal'),
    transfer_reversal: alwaysNull,
  },
  transfer: {
    balance_transaction: balanceTransaction,
    destination: v1Account,
    destination_payment: anyObject,
    source_transaction: byKind('charge'),
  },
  transfer_reversal: {
    balance_transaction: balanceTransaction,
    destination_payment_refund: anyObject,
    source_refund: alwaysNull,
    transfer: byKind('transfer'),
  },
  balance_transaction: { source: anyObject },
  payout: {
    balance_transaction: balanceTransaction,
    destination: alwaysNull,
    failure_balance_transaction: balanceTransaction,
    original_payout: alwaysNull,
    reversed_by: alwaysNull,
  },
};

const MAX_DEPTH = 4;

export async function expand(ctx: OperationContext, response: object, paths: string[]): Promise<object> {
  if (paths.length === 0) return response;
  // A copy, because the objects may still be saved.
  const copy: unknown = structuredClone(response);
  const loaded: LoadedById = new Map();
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.filter((step) => step !== 'data').length > MAX_DEPTH) {
      throw new ExpandError(`You cannot expand more than ${MAX_DEPTH} levels of a property (property: ${path}).`);
    }
    await expandPath({ ctx, path, loaded }, copy, steps);
  }
  return isResponseObject(copy) ? copy : response;
}

/** Ids repeat across the rows of a list, so each object is loaded once. */
type LoadedById = Map<string, object | null>;
interface Expansion {
  ctx: OperationContext;
  path: string;
  loaded: LoadedById;
}

async function expandPath(expansion: Expansion, at: unknown, [step, ...rest]: string[]): Promise<void> {
  if (step === undefined || !isResponseObject(at)) return;
  if (at.object === 'list' && step === 'data') {
    const data: unknown[] = Array.isArray(at.data) ? at.data : [];
    for (const item of data) await expandPath(expansion, item, rest);
    return;
  }
  const load = expandable[String(at.object)]?.[step];
  if (!load) throw new ExpandError(`This property cannot be expanded (${expansion.path}).`);
  const value = at[step];
  if (includedOnRequest.includes(step) && value === undefined) at[step] = await load(expansion.ctx, '', at);
  else if (typeof value === 'string') at[step] = (await loadOnce(expansion, load, value, at)) ?? value;
  await expandPath(expansion, at[step], rest);
}

async function loadOnce(
  { ctx, loaded }: Expansion,
  load: Loader,
  id: string,
  owner: ResponseObject,
): Promise<object | null> {
  const cached = loaded.get(id);
  // A copy per row, because an expansion inside one row must not show up in another.
  if (cached !== undefined) return structuredClone(cached);
  const object = await load(ctx, id, owner);
  loaded.set(id, structuredClone(object));
  return object;
}

const isResponseObject = (value: unknown): value is ResponseObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

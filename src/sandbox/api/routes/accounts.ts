/** /v2/core/accounts, and the v1 representation of the same accounts */

import {
  bankAccountsOf,
  closeAccount,
  initialCapabilities,
  initialRequirements,
  toV1Account,
} from '#sandbox/accounts/accounts.ts';
import { emitEvent, emitThinEvent } from '#sandbox/webhooks/events.ts';
import { newId } from '../../ids.ts';
import { findObject, insertObject, lockObject, type Stored, saveObject } from '../../objects.ts';
import { type OperationContext, rfc3339 } from '../../operation-context.ts';
import type { Account } from '../../shapes/account.ts';
import { invalidRequest, resourceMissing } from '../errors.ts';
import { Conditions, listPage, paging } from '../list.ts';
import {
  boolean,
  ignored,
  list,
  metadata,
  metadataUpdate,
  object,
  oneOf,
  optional,
  parameters,
  text,
} from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v2/core/accounts';

const includable = [
  'configuration.customer',
  'configuration.merchant',
  'configuration.recipient',
  'defaults',
  'future_requirements',
  'identity',
  'requirements',
] as const;
const include = optional(list(oneOf(...includable)));
const entityType = optional(oneOf('individual', 'company', 'non_profit', 'government_entity'));
const capability = optional(object({ requested: boolean }));

const accountParameters = parameters({
  include,
  contact_email: text,
  display_name: optional(text),
  dashboard: oneOf('express', 'full', 'none'),
  identity: object({
    country: text,
    entity_type: entityType,
  }),
  defaults: object({
    currency: optional(text),
    responsibilities: object({
      fees_collector: oneOf('application', 'stripe'),
      losses_collector: oneOf('application', 'stripe'),
    }),
    profile: ignored,
    locales: ignored,
  }),
  configuration: object({
    recipient: optional(
      object({
        capabilities: object({ stripe_balance: object({ stripe_transfers: capability, payouts: capability }) }),
      }),
    ),
  }),
  metadata,
});

type AccountInput = ReturnType<typeof accountParameters>;

const updateParameters = parameters({
  include,
  contact_email: optional(text),
  display_name: optional(text),
  dashboard: optional(oneOf('express', 'full', 'none')),
  identity: optional(object({ country: optional(text), entity_type: entityType })),
  metadata: metadataUpdate,
});

type AccountUpdate = ReturnType<typeof updateParameters>;

async function createAccount(ctx: OperationContext, params: AccountInput): Promise<object> {
  const { responsibilities } = params.defaults;
  if (params.dashboard === 'express' && responsibilities.losses_collector === 'stripe') {
    throw invalidRequest('An account with the Express dashboard needs `losses_collector` to be `application`.', {
      param: 'defaults.responsibilities.losses_collector',
    });
  }
  const recipient = params.configuration.recipient;
  const body: Account = {
    id: newId('acct'),
    object: 'v2.core.account',
    applied_configurations: recipient ? ['recipient'] : [],
    closed: false,
    configuration: recipient
      ? { recipient: { applied: true, capabilities: { stripe_balance: initialCapabilities() } } }
      : {},
    contact_email: params.contact_email,
    created: rfc3339(ctx.now),
    dashboard: params.dashboard,
    defaults: {
      currency: params.defaults.currency ?? 'usd',
      responsibilities: { ...responsibilities, requirements_collector: 'stripe' },
    },
    ...(params.display_name === undefined ? {} : { display_name: params.display_name }),
    identity: identityOf(params.identity),
    livemode: false,
    metadata: params.metadata,
    requirements: initialRequirements(),
  };
  await insertObject<'v2.core.account'>(ctx, body, { isOnboarded: false });
  await emitThinEvent(ctx, 'v2.core.account.created', body.id);
  return presentAccount(body, params.include);
}

type EntityType = NonNullable<Account['identity']['entity_type']>;

const identityOf = ({ country, entity_type }: { country: string; entity_type: EntityType | undefined }) => ({
  country: country.toLowerCase(),
  ...(entity_type === undefined ? {} : { entity_type }),
});

/** Properties that `include` does not name are absent, not null, as at Stripe. */
function presentAccount(
  { configuration, defaults, identity, requirements, ...always }: Account,
  included: string[] = [],
): object {
  return {
    ...always,
    ...(included.includes('configuration.recipient') ? { configuration } : {}),
    ...(included.includes('defaults') ? { defaults } : {}),
    ...(included.includes('identity') ? { identity } : {}),
    ...(included.includes('requirements') ? { requirements } : {}),
  };
}

function requireAccount(account: Stored<'v2.core.account'> | null, id: string): Stored<'v2.core.account'> {
  if (!account) throw resourceMissing('account', id);
  return account;
}

interface ListParams {
  limit: number;
  page: string | undefined;
  closed: boolean | undefined;
  applied_configurations: string[] | undefined;
}

/** Lists closed accounts only when `closed` is true. */
async function listAccounts(ctx: OperationContext, params: ListParams): Promise<object> {
  const { limit, page, closed = false, applied_configurations: applied } = params;
  const where = new Conditions()
    .add((p) => `kind = ${p}`, 'v2.core.account')
    .add((p) => `body->>'closed' = ${p}`, String(closed))
    .add((p) => `(body->'applied_configurations')::jsonb ?& ${p}`, applied);
  const { data, has_more } = await listPage<Account>(
    ctx,
    { from: 'sandbox.objects', select: 'body', objectName: 'account' },
    where,
    { limit, starting_after: page, ending_before: undefined },
    BASE,
  );
  const last = data.at(-1);
  const next = new URLSearchParams({ limit: String(limit), page: last?.id ?? '' });
  if (params.closed !== undefined) next.set('closed', String(params.closed));
  applied?.forEach((configuration, index) => {
    next.set(`applied_configurations[${index}]`, configuration);
  });
  return {
    data: data.map((account) => presentAccount(account)),
    next_page_url: has_more ? `${BASE}?${next.toString()}` : null,
    previous_page_url: null,
  };
}

async function updateAccount(
  ctx: OperationContext,
  params: AccountUpdate,
  { id = '' }: Record<string, string>,
): Promise<object> {
  const account = requireAccount(await lockObject(ctx, 'v2.core.account', id), id);
  const { body } = account;
  if (body.closed) throw invalidRequest(`The account ${id} has been closed.`, { code: 'account_invalid' });
  body.contact_email = params.contact_email ?? body.contact_email;
  if (params.display_name !== undefined) body.display_name = params.display_name;
  body.dashboard = params.dashboard ?? body.dashboard;
  const entity_type = params.identity?.entity_type ?? body.identity.entity_type;
  body.identity = identityOf({ country: params.identity?.country ?? body.identity.country, entity_type });
  body.metadata = params.metadata(body.metadata);
  await saveObject(ctx, account);
  await emitThinEvent(ctx, 'v2.core.account.updated', id);
  if (params.identity) await emitThinEvent(ctx, 'v2.core.account[identity].updated', id);
  await emitEvent(ctx, 'account.updated', toV1Account(account), { account: id });
  return presentAccount(body, params.include);
}

export const accountRoutes: Route[] = [
  route('POST', BASE, accountParameters, createAccount),

  route('GET', `${BASE}/:id`, parameters({ include }), async (ctx, params, { id = '' }) =>
    presentAccount(requireAccount(await findObject(ctx, 'v2.core.account', id), id).body, params.include),
  ),

  route(
    'GET',
    BASE,
    parameters({
      limit: paging.limit,
      page: optional(text),
      closed: optional(boolean),
      applied_configurations: optional(list(oneOf('customer', 'merchant', 'recipient'))),
    }),
    listAccounts,
  ),

  route('POST', `${BASE}/:id`, updateParameters, updateAccount),

  route(
    'POST',
    `${BASE}/:id/close`,
    parameters({ applied_configurations: optional(list(oneOf('recipient'))) }),
    async (ctx, _params, { id = '' }) => {
      const account = requireAccount(await lockObject(ctx, 'v2.core.account', id), id);
      await closeAccount(ctx, account);
      return presentAccount(account.body);
    },
  ),

  route('GET', '/v1/accounts/:id', parameters({}), async (ctx, _params, { id = '' }) =>
    toV1Account(requireAccount(await findObject(ctx, 'v2.core.account', id), id)),
  ),

  route(
    'GET',
    '/v1/accounts/:id/external_accounts',
    parameters({ object: optional(oneOf('bank_account')), limit: paging.limit }),
    async (ctx, { limit }, { id = '' }) => {
      const account = requireAccount(await findObject(ctx, 'v2.core.account', id), id);
      const data = bankAccountsOf(account).slice(0, limit);
      return { object: 'list', data, has_more: false, url: `/v1/accounts/${id}/external_accounts` };
    },
  ),

  route(
    'POST',
    '/v1/accounts',
    (raw) => raw,
    async () => {
      throw invalidRequest(
        'New Connect platforms create accounts with Accounts v2: make sure that you are using /v2/core/accounts. See https://docs.stripe.com/connect/accounts-v2.',
      );
    },
  ),
];

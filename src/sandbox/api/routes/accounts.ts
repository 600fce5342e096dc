/** /v2/core/accounts, and the v1 view of the same accounts */

import { capabilitiesBefore, closeAccount, requirementsBefore, v1View } from '../../accounts.ts';
import { tell, tellThin } from '../../events.ts';
import { newId } from '../../ids.ts';
import { findObject, insertObject, type Kept, lockObject, saveObject } from '../../objects.ts';
import type { Account } from '../../shapes/account.ts';
import { rfc3339, type Work } from '../../operation-context.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import { Conditions, pageOf, paging } from '../list.ts';
import {
  choice,
  flag,
  ignored,
  list,
  metadata,
  metadataChange,
  object,
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
const include = optional(list(choice(...includable)));
const entityType = optional(choice('individual', 'company', 'non_profit', 'government_entity'));
const capability = optional(object({ requested: flag }));

const accountParameters = parameters({
  include,
  contact_email: text,
  display_name: optional(text),
  dashboard: choice('express', 'full', 'none'),
  identity: object({
    country: text,
    entity_type: entityType,
  }),
  defaults: object({
    currency: optional(text),
    responsibilities: object({
      fees_collector: choice('application', 'stripe'),
      losses_collector: choice('application', 'stripe'),
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

type Given = ReturnType<typeof accountParameters>;

const changeParameters = parameters({
  include,
  contact_email: optional(text),
  display_name: optional(text),
  dashboard: optional(choice('express', 'full', 'none')),
  identity: optional(object({ country: optional(text), entity_type: entityType })),
  metadata: metadataChange,
});

type Change = ReturnType<typeof changeParameters>;

async function openAccount(work: Work, given: Given): Promise<object> {
  const { responsibilities } = given.defaults;
  if (given.dashboard === 'express' && responsibilities.losses_collector === 'stripe') {
    throw invalidRequest('An account with the Express dashboard needs `losses_collector` to be `application`.', {
      param: 'defaults.responsibilities.losses_collector',
    });
  }
  const recipient = given.configuration.recipient;
  const body: Account = {
    id: newId('acct'),
    object: 'v2.core.account',
    applied_configurations: recipient ? ['recipient'] : [],
    closed: false,
    configuration: recipient
      ? { recipient: { applied: true, capabilities: { stripe_balance: capabilitiesBefore() } } }
      : {},
    contact_email: given.contact_email,
    created: rfc3339(work.now),
    dashboard: given.dashboard,
    defaults: {
      currency: given.defaults.currency ?? 'usd',
      responsibilities: { ...responsibilities, requirements_collector: 'stripe' },
    },
    ...(given.display_name === undefined ? {} : { display_name: given.display_name }),
    identity: identityOf(given.identity),
    livemode: false,
    metadata: given.metadata,
    requirements: requirementsBefore(),
  };
  await insertObject<'v2.core.account'>(work, body, { isOnboarded: false });
  await tellThin(work, 'v2.core.account.created', body.id);
  return shown(body, given.include);
}

type EntityType = NonNullable<Account['identity']['entity_type']>;

const identityOf = ({ country, entity_type }: { country: string; entity_type: EntityType | undefined }) => ({
  country: country.toLowerCase(),
  ...(entity_type === undefined ? {} : { entity_type }),
});

/** What was not asked for is absent, not null: a reader who forgets `include` sees no capability at all. */
function shown({ configuration, defaults, identity, requirements, ...always }: Account, asked: string[] = []): object {
  return {
    ...always,
    ...(asked.includes('configuration.recipient') ? { configuration } : {}),
    ...(asked.includes('defaults') ? { defaults } : {}),
    ...(asked.includes('identity') ? { identity } : {}),
    ...(asked.includes('requirements') ? { requirements } : {}),
  };
}

function existing(account: Kept<'v2.core.account'> | null, id: string): Kept<'v2.core.account'> {
  if (!account) throw noSuch('account', id);
  return account;
}

interface Listing {
  limit: number;
  page: string | undefined;
  closed: boolean | undefined;
  applied_configurations: string[] | undefined;
}

/** Closed accounts are listed on request only. */
async function listAccounts(work: Work, given: Listing): Promise<object> {
  const { limit, page, closed = false, applied_configurations: applied } = given;
  const where = new Conditions()
    .add((p) => `kind = ${p}`, 'v2.core.account')
    .add((p) => `body->>'closed' = ${p}`, String(closed))
    .add((p) => `(body->'applied_configurations')::jsonb ?& ${p}`, applied);
  const { data, has_more } = await pageOf<Account>(
    work,
    { from: 'sandbox.objects', select: 'body', noun: 'account' },
    where,
    { limit, starting_after: page, ending_before: undefined },
    BASE,
  );
  const last = data.at(-1);
  const next = new URLSearchParams({ limit: String(limit), page: last?.id ?? '' });
  if (given.closed !== undefined) next.set('closed', String(given.closed));
  applied?.forEach((configuration, index) => {
    next.set(`applied_configurations[${index}]`, configuration);
  });
  return {
    data: data.map((account) => shown(account)),
    next_page_url: has_more ? `${BASE}?${next.toString()}` : null,
    previous_page_url: null,
  };
}

async function changeAccount(work: Work, given: Change, { id = '' }: Record<string, string>): Promise<object> {
  const account = existing(await lockObject(work, 'v2.core.account', id), id);
  const { body } = account;
  if (body.closed) throw invalidRequest(`The account ${id} has been closed.`, { code: 'account_invalid' });
  body.contact_email = given.contact_email ?? body.contact_email;
  if (given.display_name !== undefined) body.display_name = given.display_name;
  body.dashboard = given.dashboard ?? body.dashboard;
  const entity_type = given.identity?.entity_type ?? body.identity.entity_type;
  body.identity = identityOf({ country: given.identity?.country ?? body.identity.country, entity_type });
  body.metadata = given.metadata(body.metadata);
  await saveObject(work, account);
  await tellThin(work, 'v2.core.account.updated', id);
  if (given.identity) await tellThin(work, 'v2.core.account[identity].updated', id);
  await tell(work, 'account.updated', v1View(account), { account: id });
  return shown(body, given.include);
}

export const accountRoutes: Route[] = [
  route('POST', BASE, accountParameters, openAccount),

  route('GET', `${BASE}/:id`, parameters({ include }), async (work, given, { id = '' }) =>
    shown(existing(await findObject(work, 'v2.core.account', id), id).body, given.include),
  ),

  route(
    'GET',
    BASE,
    parameters({
      limit: paging.limit,
      page: optional(text),
      closed: optional(flag),
      applied_configurations: optional(list(choice('customer', 'merchant', 'recipient'))),
    }),
    listAccounts,
  ),

  route('POST', `${BASE}/:id`, changeParameters, changeAccount),

  route(
    'POST',
    `${BASE}/:id/close`,
    parameters({ applied_configurations: optional(list(choice('recipient'))) }),
    async (work, _given, { id = '' }) => {
      const account = existing(await lockObject(work, 'v2.core.account', id), id);
      await closeAccount(work, account);
      return shown(account.body);
    },
  ),

  route('GET', '/v1/accounts/:id', parameters({}), async (work, _given, { id = '' }) =>
    v1View(existing(await findObject(work, 'v2.core.account', id), id)),
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

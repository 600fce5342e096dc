/** /v2/core/accounts, and the v1 view of the same accounts */

import { capabilitiesBefore, requirementsBefore, v1View } from '../../accounts.ts';
import { newId } from '../../ids.ts';
import { findObject, insertObject, type Kept, lockObject, saveObject } from '../../objects.ts';
import type { Account } from '../../shapes/account.ts';
import { rfc3339, type Work } from '../../work.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import { pageOfObjects, paging } from '../list.ts';
import { choice, flag, ignored, list, metadata, object, optional, parameters, text } from '../parameters.ts';
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
const capability = optional(object({ requested: flag }));

const accountParameters = parameters({
  include,
  contact_email: text,
  display_name: optional(text),
  dashboard: choice('express', 'full', 'none'),
  identity: object({
    country: text,
    entity_type: optional(choice('individual', 'company', 'non_profit', 'government_entity')),
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
    configuration: {
      recipient: recipient ? { applied: true, capabilities: { stripe_balance: capabilitiesBefore() } } : null,
    },
    contact_email: given.contact_email,
    created: rfc3339(work.now),
    dashboard: given.dashboard,
    defaults: {
      currency: given.defaults.currency ?? 'usd',
      responsibilities: { ...responsibilities, requirements_collector: 'stripe' },
    },
    display_name: given.display_name ?? null,
    identity: { country: given.identity.country.toLowerCase(), entity_type: given.identity.entity_type ?? null },
    livemode: false,
    metadata: given.metadata,
    requirements: requirementsBefore(),
  };
  await insertObject<'v2.core.account'>(work, body, { isOnboarded: false });
  return shown(body, given.include);
}

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

export const accountRoutes: Route[] = [
  route('POST', BASE, accountParameters, openAccount),

  route('GET', `${BASE}/:id`, parameters({ include }), async (work, given, { id = '' }) =>
    shown(existing(await findObject(work, 'v2.core.account', id), id).body, given.include),
  ),

  route(
    'GET',
    BASE,
    parameters({ limit: paging.limit, page: optional(text), applied_configurations: ignored }),
    async (work, { limit, page }) => {
      const { data, has_more } = await pageOfObjects(
        work,
        'v2.core.account',
        {},
        { limit, starting_after: page, ending_before: undefined },
        BASE,
      );
      const last = data.at(-1);
      return {
        data: data.map((account) => shown(account)),
        next_page_url: has_more && last ? `${BASE}?limit=${limit}&page=${last.id}` : null,
        previous_page_url: null,
      };
    },
  ),

  route(
    'POST',
    `${BASE}/:id`,
    parameters({ include, contact_email: optional(text), display_name: optional(text), metadata }),
    async (work, given, { id = '' }) => {
      const account = existing(await lockObject(work, 'v2.core.account', id), id);
      account.body.contact_email = given.contact_email ?? account.body.contact_email;
      account.body.display_name = given.display_name ?? account.body.display_name;
      Object.assign(account.body.metadata, given.metadata);
      await saveObject(work, account);
      return shown(account.body, given.include);
    },
  ),

  route(
    'POST',
    `${BASE}/:id/close`,
    parameters({ applied_configurations: ignored }),
    async (work, _given, { id = '' }) => {
      const account = existing(await lockObject(work, 'v2.core.account', id), id);
      account.body.closed = true;
      await saveObject(work, account);
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

/** Connected accounts: capabilities, restrictions, and the v1 representation of a v2 account. */

import { invalidRequest } from '#sandbox/api/errors.ts';
import { lockBalance, readBalance } from '#sandbox/money/balances.ts';
import { type Stored, saveObject } from '#sandbox/objects.ts';
import type { OperationContext } from '#sandbox/operation-context.ts';
import type { Account, Capability, Requirement, StripeBalance } from '#sandbox/shapes/account.ts';
import { emitEvent, emitThinEvent } from '#sandbox/webhooks/events.ts';

export type Onboarding = 'complete' | 'requirement';
type StoredAccount = Stored<'v2.core.account'>;

const ACTIVE: Capability = { status: 'active', status_details: [] };
const MISSING_REQUIREMENTS: Capability = {
  status: 'restricted',
  status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
};
const CLOSED: Capability = {
  status: 'restricted',
  status_details: [{ code: 'restricted_other', resolution: 'contact_stripe' }],
};
const BANK_ACCOUNT = 'default_outbound_destination';

export const initialCapabilities = (): StripeBalance => ({
  payouts: MISSING_REQUIREMENTS,
  stripe_transfers: MISSING_REQUIREMENTS,
});

export const initialRequirements = (): Account['requirements'] =>
  pastDue(['identity.individual.id_numbers', BANK_ACCOUNT]);

/** Completes the onboarding form, with or without a missing document. */
export function finishOnboarding(ctx: OperationContext, account: StoredAccount, outcome: Onboarding): Promise<void> {
  account.inside.bank = 'accepts';
  return outcome === 'complete' ? activateAccount(ctx, account) : restrictAccount(ctx, account);
}

export function activateAccount(ctx: OperationContext, account: StoredAccount): Promise<void> {
  return updateAccount(ctx, account, () => {
    account.inside.isOnboarded = true;
    account.body.requirements = { entries: [] };
    setCapabilities(account, { payouts: ACTIVE, stripe_transfers: ACTIVE });
  });
}

/** Requires one more document and restricts transfers and payouts until then. */
export function restrictAccount(ctx: OperationContext, account: StoredAccount): Promise<void> {
  return updateAccount(ctx, account, () => {
    account.inside.isOnboarded = true;
    account.body.requirements = pastDue(['identity.individual.documents.primary_verification']);
    setCapabilities(account, { payouts: MISSING_REQUIREMENTS, stripe_transfers: MISSING_REQUIREMENTS });
  });
}

/** Disables payouts after the bank rejects one. Transfers still arrive on the balance. */
export function disablePayouts(ctx: OperationContext, account: StoredAccount): Promise<void> {
  return updateAccount(ctx, account, () => {
    const transfers =
      account.body.configuration.recipient?.capabilities.stripe_balance.stripe_transfers ?? MISSING_REQUIREMENTS;
    account.body.requirements = pastDue([BANK_ACCOUNT]);
    setCapabilities(account, { payouts: MISSING_REQUIREMENTS, stripe_transfers: transfers });
  });
}

export async function closeAccount(ctx: OperationContext, account: StoredAccount): Promise<void> {
  if (account.body.closed) return;
  await lockBalance(ctx, account.body.id);
  const { available, pending } = await readBalance(ctx, account.body.id);
  if (available !== 0 || pending !== 0) {
    throw invalidRequest('This account cannot be closed: its balance is not zero.', {
      code: 'account_balance_not_zero',
    });
  }
  await updateAccount(ctx, account, () => {
    account.body.closed = true;
    setCapabilities(account, { payouts: CLOSED, stripe_transfers: CLOSED });
  });
  await emitThinEvent(ctx, 'v2.core.account.closed', account.body.id);
}

export const canReceiveTransfers = ({ body }: StoredAccount) =>
  !body.closed && body.configuration.recipient?.capabilities.stripe_balance.stripe_transfers.status === 'active';

/** The account as `GET /v1/accounts/{id}` returns it. */
export function toV1Account({ body, inside }: StoredAccount) {
  const stripeBalance = body.configuration.recipient?.capabilities.stripe_balance;
  const descriptions = body.requirements.entries.map(({ description }) => description);
  return {
    id: body.id,
    object: 'account',
    business_profile: null,
    business_type: body.identity.entity_type ?? null,
    capabilities: { transfers: stripeBalance?.stripe_transfers.status === 'active' ? 'active' : 'inactive' },
    charges_enabled: false,
    controller: { type: 'application', is_controller: true, stripe_dashboard: { type: body.dashboard } },
    country: body.identity.country.toUpperCase(),
    created: Math.floor(Date.parse(body.created) / 1000),
    default_currency: body.defaults.currency,
    details_submitted: inside.isOnboarded,
    email: body.contact_email,
    metadata: body.metadata,
    payouts_enabled: stripeBalance?.payouts.status === 'active',
    requirements: {
      alternatives: [],
      current_deadline: null,
      currently_due: descriptions,
      disabled_reason: descriptions.length > 0 ? 'requirements.past_due' : null,
      errors: [],
      eventually_due: descriptions,
      past_due: descriptions,
      pending_verification: [],
    },
    type: body.dashboard === 'express' ? 'express' : 'none',
  };
}

/** The bank account that an onboarded account is paid to. */
export function bankAccountsOf({ body, inside }: StoredAccount) {
  if (!inside.isOnboarded) return [];
  return [
    {
      id: `ba_${body.id.slice(-16)}`,
      object: 'bank_account',
      account: body.id,
      account_holder_name: body.display_name ?? null,
      account_holder_type: body.identity.entity_type ?? null,
      account_type: 'checking',
      bank_name: 'STRIPE TEST BANK',
      country: 'US',
      currency: 'usd',
      default_for_currency: true,
      fingerprint: body.id.slice(-16),
      last4: '6789',
      routing_number: '110000000',
      status: 'new',
    },
  ];
}

/** Applies the change, then emits v2 thin events and the v1 `account.updated` event. */
async function updateAccount(ctx: OperationContext, account: StoredAccount, change: () => void): Promise<void> {
  const { id } = account.body;
  const before = structuredClone(account.body);
  const previousV1 = toV1Account(account);
  change();
  await saveObject(ctx, account);

  if (JSON.stringify(before.requirements) !== JSON.stringify(account.body.requirements)) {
    await emitThinEvent(ctx, 'v2.core.account[requirements].updated', id);
  }
  for (const capability of ['stripe_transfers', 'payouts'] as const) {
    if (statusOf(before, capability) !== statusOf(account.body, capability)) {
      await emitThinEvent(ctx, 'v2.core.account[configuration.recipient].capability_status_updated', id, {
        updated_capability: `stripe_balance.${capability}`,
      });
    }
  }
  const { charges_enabled, payouts_enabled, details_submitted } = previousV1;
  await emitEvent(ctx, 'account.updated', toV1Account(account), {
    account: id,
    previous: { charges_enabled, payouts_enabled, details_submitted },
  });
}

const statusOf = ({ configuration }: Account, capability: keyof StripeBalance) =>
  configuration.recipient?.capabilities.stripe_balance[capability].status;

function setCapabilities({ body }: StoredAccount, capabilities: StripeBalance): void {
  if (body.configuration.recipient) body.configuration.recipient.capabilities.stripe_balance = capabilities;
}

function pastDue(descriptions: string[]): Account['requirements'] {
  const deadline = { status: 'past_due' } as const;
  const entries = descriptions.map(
    (description): Requirement => ({
      awaiting_action_from: 'user',
      description,
      errors: [],
      impact: {
        restricts_capabilities: [
          { capability: 'stripe_balance.stripe_transfers', configuration: 'recipient', deadline },
          { capability: 'stripe_balance.payouts', configuration: 'recipient', deadline },
        ],
      },
      minimum_deadline: deadline,
      requested_reasons: [{ code: 'routine_onboarding' }],
    }),
  );
  return { entries, summary: { minimum_deadline: deadline } };
}

/** Connected accounts: how onboarding leaves them, and the v1 view of a v2 account. */

import { tell } from './events.ts';
import { type Kept, saveObject } from './objects.ts';
import type { Account, Capability, Requirement, StripeBalance } from './shapes/account.ts';
import type { Work } from './work.ts';

export type Onboarding = 'complete' | 'requirement';

const ACTIVE: Capability = { status: 'active', status_details: [] };
const NOT_YET: Capability = {
  status: 'restricted',
  status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
};

export const capabilitiesBefore = (): StripeBalance => ({ payouts: NOT_YET, stripe_transfers: NOT_YET });

export const requirementsBefore = (): Account['requirements'] =>
  due(['identity.individual.id_numbers', 'default_outbound_destination']);

/** The account's holder has gone through the form, to the end or short of one document. */
export async function finishOnboarding(work: Work, account: Kept<'v2.core.account'>, how: Onboarding): Promise<void> {
  const { recipient } = account.body.configuration;
  const previous = v1View(account);
  account.inside.isOnboarded = true;
  account.body.requirements =
    how === 'complete' ? { entries: [] } : due(['identity.individual.documents.primary_verification']);
  if (recipient) {
    const capability = how === 'complete' ? ACTIVE : NOT_YET;
    recipient.capabilities.stripe_balance = { payouts: capability, stripe_transfers: capability };
  }
  await saveObject(work, account);
  const { charges_enabled, payouts_enabled, details_submitted } = previous;
  await tell(work, 'account.updated', v1View(account), {
    account: account.body.id,
    previous: { charges_enabled, payouts_enabled, details_submitted },
  });
}

export const canReceiveTransfers = ({ body }: Kept<'v2.core.account'>) =>
  !body.closed && body.configuration.recipient?.capabilities.stripe_balance.stripe_transfers.status === 'active';

/** The same account as `GET /v1/accounts/{id}` shows it. */
export function v1View({ body, inside }: Kept<'v2.core.account'>) {
  const stripeBalance = body.configuration.recipient?.capabilities.stripe_balance;
  const descriptions = body.requirements.entries.map(({ description }) => description);
  return {
    id: body.id,
    object: 'account',
    business_profile: { name: body.display_name },
    business_type: body.identity.entity_type,
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

function due(descriptions: string[]): Account['requirements'] {
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

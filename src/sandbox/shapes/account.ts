/** A connected account in Accounts v2. */

import type { Metadata } from './metadata.ts';

/** The complete account. Responses leave out whatever `include` does not name. */
export interface Account {
  id: string;
  object: 'v2.core.account';
  applied_configurations: 'recipient'[];
  closed: boolean;
  configuration: { recipient?: { applied: boolean; capabilities: { stripe_balance: StripeBalance } } };
  contact_email: string;
  created: string;
  dashboard: string;
  defaults: {
    currency: string;
    responsibilities: { fees_collector: string; losses_collector: string; requirements_collector: 'stripe' };
  };
  display_name?: string;
  identity: { country: string; entity_type?: string };
  livemode: false;
  metadata: Metadata;
  requirements: { entries: Requirement[]; summary?: { minimum_deadline: Deadline } };
}

export interface StripeBalance {
  payouts: Capability;
  stripe_transfers: Capability;
}

export interface Capability {
  status: 'active' | 'pending' | 'restricted' | 'unsupported';
  status_details: { code: string; resolution: string }[];
}

export interface Requirement {
  awaiting_action_from: 'user';
  description: string;
  errors: [];
  impact: { restricts_capabilities: { capability: string; configuration: 'recipient'; deadline: Deadline }[] };
  minimum_deadline: Deadline;
  requested_reasons: { code: string }[];
}

export interface Deadline {
  status: 'currently_due' | 'past_due';
}

export interface AccountInside {
  /** The onboarding form was submitted at least once. */
  isOnboarded: boolean;
  /** How the account's bank handles payouts. Accepts by default. */
  bank?: 'accepts' | 'refuses';
}

/** A connected account, as Accounts v2 knows it. */

import type { Metadata } from './metadata.ts';

/** Everything known of the account; an answer carries only what `include` asked for. */
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
  /** The holder has finished the onboarding form at least once. */
  isOnboarded: boolean;
  /** What the account's bank does with payouts; absent: takes them. */
  bank?: 'accepts' | 'refuses';
}

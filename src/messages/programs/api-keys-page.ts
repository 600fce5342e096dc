/** The screen of an organization's API keys. */
import type { keyDays, Scope } from '#domain/accounts/api-keys.ts';

/** What each scope is for, as the form and the reference say it. */
export const scopeMeaning: Record<Scope, string> = {
  'events:read': 'Read events and ticket types',
  'events:write': 'Create, edit and publish events, with their ticket types and promo codes',
  'orders:read': 'Read orders and tickets, with names and email addresses',
  'guests:write': 'Add guests at no charge, who are emailed their tickets',
  'check_ins:write': 'Check tickets in',
  'reports:read': 'Read sales reports and payouts',
  'webhooks:write': 'Set up webhooks',
};

export const keyRevoked = 'The key no longer works.';

const durations: Record<(typeof keyDays)[number], string> = {
  30: '30 days',
  90: '90 days',
  365: '1 year',
  730: '2 years',
};

export const apiKeysPage = {
  title: 'API',
  lead: 'Your own programs read and edit your events, add guests, check them in, and are called when something happens.',
  back: 'Back to your events',
  notLoaded: "We couldn't load your keys.",
  failed: "That didn't work. Please try again.",
  keys: 'Keys',
  caption: 'API keys of the organization',
  none: 'You have no keys. Make one to connect a turnstile, a newsletter or your bookkeeping.',
  reference: 'Read what programs can ask',
  name: 'Name',
  nameHint: 'Which program has it.',
  may: 'It may',
  events: 'Events',
  allEvents: 'All events',
  lastUsed: 'Last used',
  neverUsed: 'Not yet',
  until: 'Expires',
  state: { live: null, revoked: 'Revoked', expired: 'Expired' },
  actions: 'Change',
  create: 'New key',
  createTitle: 'Make a key',
  duration: 'It lasts',
  durations,
  send: 'Make the key',
  cancel: 'Cancel',
  chooseEvents: 'Choose at least one event.',
  madeTitle: 'Your new key',
  made: "Copy it now. You won't see this key again.",
  copy: 'Copy the key',
  done: 'Done',
  revoke: 'Revoke',
  revokeLabel: (name: string) => `Revoke ${name}`,
  revokeTitle: 'Revoke this key?',
  revokeWhy: (name: string) => `The program that has ${name} stops working at once. You can't undo this.`,
  keep: 'Keep it',
};

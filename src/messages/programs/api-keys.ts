/** Keys of programs. */
import { KEY_NAME_MAX, KEYS_MAX, type keyDays, type Scope } from '#domain/accounts/api-keys.ts';

/** What each scope is for, as the form and the reference say it. */
export const scopeMeaning: Record<Scope, string> = {
  'events:read': 'Read events and ticket types',
  'orders:read': 'Read orders and tickets, with names and email addresses',
  'check_ins:write': 'Check tickets in',
};

export const apiKeyErrors = {
  'api.too-many': `You have ${KEYS_MAX} keys. Revoke one first.`,
  'api-key.unknown': "This key doesn't exist anymore.",
  'auth.invalid-key': "This API key isn't valid.",
  'auth.scope-missing': ({ scope }: { scope: string }) => `This key needs the scope ${scope}.`,
};

export const apiKeyProblems = {
  nameMissing: 'Name is required',
  nameTooLong: `Name must be ${KEY_NAME_MAX} characters or less`,
  scopesMissing: 'Choose what the key may do',
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
  lead: 'Keys with which your own programs read your events and check guests in.',
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

/** What can be wrong with an API key, a request with it, or the form that makes one. */
import { KEY_NAME_MAX, KEYS_MAX } from '#domain/accounts/api-keys.ts';

export const apiKeyErrors = {
  'api.too-many': `You have ${KEYS_MAX} keys. Revoke one first.`,
  'api-key.unknown': "This key doesn't exist anymore.",
  'auth.invalid-key': "This API key isn't valid.",
  'auth.key-of-chosen-events': "This key is for chosen events, so it can't add one.",
  'capacity.not-found': "We can't find this shared capacity.",
  'event.version-changed': ({ version }: { version: number }) =>
    `This event has changed: its page version is ${version} now. Read it again.`,
  'ticket-type.not-found': "We can't find this ticket type.",
  'idempotency.body-differs': 'This key was used for a different request.',
  'idempotency.in-progress': 'The first request with this key is still running.',
  'auth.scope-missing': ({ scope }: { scope: string }) => `This key needs the scope ${scope}.`,
};

export const apiKeyProblems = {
  nameMissing: 'Name is required',
  nameTooLong: `Name must be ${KEY_NAME_MAX} characters or less`,
  scopesMissing: 'Choose what the key may do',
};

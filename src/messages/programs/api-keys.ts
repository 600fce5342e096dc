/** Keys of programs. */
import { KEYS_MAX } from '#domain/accounts/api-keys.ts';

export const apiKeyErrors = {
  'api.too-many': `You have ${KEYS_MAX} keys. Revoke one first.`,
  'api-key.unknown': "This key doesn't exist anymore.",
  'auth.invalid-key': "This API key isn't valid.",
  'auth.scope-missing': ({ scope }: { scope: string }) => `This key needs the scope ${scope}.`,
};

export const keyRevoked = 'The key no longer works.';

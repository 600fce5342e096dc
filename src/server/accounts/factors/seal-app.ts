import type { Deps } from '#server/platform/deps.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import { deriveKey } from '#server/platform/secrets.ts';

const keyOf = (appSecret: Deps['appSecret']) => deriveKey(appSecret, 'authenticator app');

export const sealApp = (appSecret: Deps['appSecret'], factorId: string, secret: Buffer): Buffer =>
  seal(keyOf(appSecret), factorId, secret);

/** `null` if it was sealed with another key. */
export const unsealApp = (
  appSecret: Deps['appSecret'],
  { id, secretSealed }: { id: string; secretSealed: Buffer | null },
): Buffer | null => secretSealed && unseal(keyOf(appSecret), id, secretSealed);

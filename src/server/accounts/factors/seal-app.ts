import type { Deps } from '#server/platform/deps.ts';
import { seal, unseal } from '#server/platform/seal.ts';

export const sealApp = (appSecret: Deps['appSecret'], factorId: string, secret: Buffer): Buffer =>
  seal(appSecret, 'authenticator app', factorId, secret);

/** `null` if it was sealed with another key. */
export const unsealApp = (
  appSecret: Deps['appSecret'],
  { id, secretSealed }: { id: string; secretSealed: Buffer | null },
): Buffer | null => secretSealed && unseal(appSecret, 'authenticator app', id, secretSealed);

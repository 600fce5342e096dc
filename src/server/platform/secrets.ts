import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The purposes are few and constant. Derived once: a key is needed for each scan at a door. */
const known = new Map<string, KeyObject>();

/** A 256-bit key for one purpose. Keys of different purposes tell nothing of each other or of the secret. */
export function deriveKey(appSecret: string, purpose: string): KeyObject {
  const name = `${purpose} ${appSecret}`;
  const key =
    known.get(name) ?? createSecretKey(Buffer.from(hkdfSync('sha256', appSecret, '', `handstamp ${purpose}`, 32)));
  known.set(name, key);
  return key;
}

/** The root of every key that the product derives. Made once, readable by its owner only. */
export async function readOrMakeAppSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'app-secret');
  await mkdir(dataDir, { recursive: true });
  // Fails when the file is there, so that two starts at once agree on one secret.
  await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  return readFile(file, 'utf8');
}

/** Keys between the product and its sandbox: the same after every start, so that nothing signed before is lost. */
export function sandboxKeys(appSecret: string) {
  const keyFor = (purpose: string) => deriveKey(appSecret, `sandbox ${purpose}`).export().toString('hex');
  return { secretKey: `sk_test_${keyFor('api')}`, webhookSecret: `whsec_${keyFor('webhook')}` };
}

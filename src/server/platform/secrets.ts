import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Cached because every scan needs a key. The purposes are few and constant. */
const keys = new Map<string, KeyObject>();

/** Derives a 256-bit key for one purpose. A leaked key reveals neither the secret nor any other key. */
export function deriveKey(appSecret: string, purpose: string): KeyObject {
  const name = `${purpose} ${appSecret}`;
  const key =
    keys.get(name) ?? createSecretKey(Buffer.from(hkdfSync('sha256', appSecret, '', `handstamp ${purpose}`, 32)));
  keys.set(name, key);
  return key;
}

/** Reads the secret, or generates it on the first start. The file is readable by its owner only. */
export async function readOrMakeAppSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'app-secret');
  await mkdir(dataDir, { recursive: true });
  // `wx` fails if the file exists, so that two concurrent starts agree on one secret.
  await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  return readFile(file, 'utf8');
}

/** The keys that the product and its sandbox share. They stay the same across restarts, so that older signatures remain valid. */
export function sandboxKeys(appSecret: string) {
  const keyFor = (purpose: string) => deriveKey(appSecret, `sandbox ${purpose}`).export().toString('hex');
  return { secretKey: `sk_test_${keyFor('api')}`, webhookSecret: `whsec_${keyFor('webhook')}` };
}

import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The first secret signs and seals. All of them verify, so that the secret can be rotated. */
export type AppSecret = readonly [string, ...string[]];

/** Each secret alone, the first one first: for code that verifies what an earlier secret may have signed. */
export const eachSecret = (appSecret: AppSecret): AppSecret[] => appSecret.map((one) => [one]);

/** By secret and purpose. Cached because every scan needs a key; the purposes are few and constant. */
const keys = new Map<string, Map<string, KeyObject>>();

/** Derives a 256-bit key for one purpose from the first secret. A leaked key reveals neither the secret nor any other key. */
export function deriveKey([secret]: AppSecret, purpose: string): KeyObject {
  const known = keys.get(secret)?.get(purpose);
  if (known) return known;
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `handstamp ${purpose}`, 32)));
  keys.set(secret, (keys.get(secret) ?? new Map<string, KeyObject>()).set(purpose, key));
  return key;
}

export const sign = (appSecret: AppSecret, purpose: string, text: string): string =>
  createHmac('sha256', deriveKey(appSecret, purpose)).update(text).digest('base64url');

/** Whether any of the secrets signed the text for this purpose. */
export function isSigned(appSecret: AppSecret, purpose: string, text: string, signature: string): boolean {
  const given = Buffer.from(signature);
  return eachSecret(appSecret).some((secret) => {
    const expected = Buffer.from(sign(secret, purpose, text));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const prefixes = new WeakMap<KeyObject, string>();

/**
 * Hashes a text that could be guessed, such as an address. The key stands before the text, which takes a sixth of an HMAC's time; but
 * the hash of a text gives away that of a longer one. So such hashes never leave the server.
 */
export function keyedHash(key: KeyObject, text: string, encoding: 'base64url' | 'hex'): string {
  const prefix = prefixes.get(key) ?? key.export().toString('hex');
  prefixes.set(key, prefix);
  return hash('sha256', prefix + text, encoding);
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

/** Null before the first start. */
export async function readAppSecret(dataDir: string): Promise<AppSecret | null> {
  try {
    return [await readFile(join(dataDir, 'app-secret'), 'utf8')];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** The keys that the product and its sandbox share. They stay the same across restarts, so that older signatures remain valid. */
export function sandboxKeys(appSecret: AppSecret) {
  const keyFor = (purpose: string) => deriveKey(appSecret, `sandbox ${purpose}`).export().toString('hex');
  return { secretKey: `sk_test_${keyFor('api')}`, webhookSecret: `whsec_${keyFor('webhook')}` };
}

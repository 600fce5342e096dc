import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { type AppSecret, deriveKey } from '#server/platform/secrets.ts';

/** What precedes the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key changes with the secret, so each signature is stored with its public key. */
export function signFunds(appSecret: AppSecret, text: string): { signature: string; publicKey: string } {
  const seed = deriveKey(appSecret, 'funds signature').export();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  return {
    signature: sign(null, Buffer.from(text), key).toString('base64'),
    publicKey: createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

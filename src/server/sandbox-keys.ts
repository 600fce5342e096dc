import { deriveKey } from './derive-key.ts';

/** Keys between the product and its sandbox: the same after every start, so that nothing signed before is lost. */
export function sandboxKeys(appSecret: string) {
  const keyFor = (purpose: string) => deriveKey(appSecret, `sandbox ${purpose}`).export().toString('hex');
  return { secretKey: `sk_test_${keyFor('api')}`, webhookSecret: `whsec_${keyFor('webhook')}` };
}

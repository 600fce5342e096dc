/** Metrics of a started server. */
import type { Product } from './product.ts';

export const METRICS_TOKEN = 'a-token-for-tests-only';

/** The serving processes, by slot. */
export async function workersOf(product: Pick<Product, 'url'>): Promise<Map<string, number>> {
  const reply = await fetch(`${product.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}`, connection: 'close' },
  });
  if (!reply.ok) throw new Error(`/metrics answered ${reply.status}`);
  const found = (await reply.text()).matchAll(/^handstamp_process\{process="(\d+)",pid="(\d+)"\} 1$/gm);
  return new Map([...found].map(([, slot = '', pid]) => [slot, Number(pid)]));
}

export async function until(what: string, isSo: () => Promise<boolean>, seconds = 20): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Metrics of a started server. */
import type { Product } from './product.ts';

export const METRICS_TOKEN = 'a-token-for-tests-only';

/** The serving processes, by slot. */
export async function workersOf(product: Pick<Product, 'url'>): Promise<Map<string, number>> {
  const found = (await metricsOf(product)).matchAll(/^handstamp_process_info\{pid="(\d+)",process="(\d+)"\} 1$/gm);
  return new Map([...found].map(([, pid, slot = '']) => [slot, Number(pid)]));
}

/** The answer of `/metrics`. */
export async function metricsOf({ url }: Pick<Product, 'url'>): Promise<string> {
  const reply = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}`, connection: 'close' },
  });
  if (!reply.ok) throw new Error(`/metrics answered ${reply.status}`);
  return reply.text();
}

export async function until(what: string, isSo: () => Promise<boolean>, seconds = 20): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const askedAt = Date.now();
    if (await isSo()) return;
    // Only an answer from after the deadline says that it is too late.
    if (askedAt > deadline) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

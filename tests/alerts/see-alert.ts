/** Causes a fault, and waits until Prometheus fires the alert and, after the cure, no alert is left. */
import { expect } from 'vitest';
import { until } from '#tests/support/metrics.ts';
import type { Prometheus } from './prometheus/open-prometheus.ts';

export interface Fault {
  /** The rules that it makes fire; others may, too. */
  alerts: readonly string[];
  fault: string;
  /** Resolves to the cure. */
  fail(): Promise<() => Promise<unknown>>;
}

/** A figure of the database is read every 15 s, action items every minute, and some faults need half a minute to be late. */
const WITHIN_SECONDS = 120;

export async function seeFireAndClear(prometheus: Prometheus, { alerts, fault, fail }: Fault): Promise<void> {
  expect((await prometheus.firing()).map(({ name }) => name)).toEqual([]);
  const seen = new Map<string, string>();
  const note = async () => {
    const firing = await prometheus.firing();
    for (const { name, summary } of firing) if (!seen.has(name)) seen.set(name, summary);
    return firing;
  };

  const startedAt = Date.now();
  const cure = await fail();
  let firedAt = 0;
  try {
    await until(
      `${alerts.join(', ')} fires`,
      async () => {
        await note();
        return alerts.every((name) => seen.has(name));
      },
      WITHIN_SECONDS,
    );
    firedAt = Date.now();
  } finally {
    await cure();
  }
  const curedAt = Date.now();
  await until('no alert fires', async () => (await note()).length === 0, WITHIN_SECONDS).catch(
    async (error: unknown) => {
      throw new Error(`left: ${JSON.stringify(await prometheus.firing())}`, { cause: error });
    },
  );

  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
  process.stdout.write(
    `${fault}: ${seconds(startedAt, firedAt)} until it fired, ${seconds(curedAt, Date.now())} to clear\n`,
  );
  for (const [name, summary] of seen) process.stdout.write(`  ${name}: ${summary}\n`);
}

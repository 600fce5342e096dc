import { describe, expect, it } from 'vitest';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import { processCatalog } from './catalog.ts';
import { ofProcess } from './measurement.ts';
import { formatMeasurements, openProcessMetrics } from './process-metrics.ts';

const build = { version: '1.2.3', commit: 'abc', schema: '0001' };

describe('the metrics of processes', () => {
  it('show connections and who waits for one [WATCH-1]', async () => {
    const pools = { shared: { totalCount: 10, idleCount: 3, waitingCount: 21 } };

    const text = await formatMeasurements(await openProcessMetrics({ pools, build }).read());

    expect(text).toContain('handstamp_database_connections{pool="shared",state="in-use"} 7');
    expect(text).toContain('handstamp_database_connections{pool="shared",state="idle"} 3');
    expect(text).toContain('handstamp_database_waiting{pool="shared"} 21');
    expect(text).toContain('handstamp_build_info{version="1.2.3",commit="abc",schema="0001"} 1');
  });

  it('are kept apart, and grouped by name as the format requires [WATCH-1]', async () => {
    const metrics = openProcessMetrics({ pools: {}, build });
    const [one, two] = [ofProcess(await metrics.read(), '1'), ofProcess(await metrics.read(), '2')];

    const text = await formatMeasurements([...one, ...two]);

    const types = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
    expect(types).toEqual([...new Set(types)]);
    expect(types).toEqual(expect.arrayContaining(Object.keys(processCatalog)));
    for (const process of ['1', '2'])
      expect(text).toContain(`handstamp_process_info{pid="${globalThis.process.pid}",process="${process}"} 1`);
  });

  it('sort responses into buckets, by method, route and status [WATCH-1]', async () => {
    const metrics = openProcessMetrics({ pools: {}, build });
    const response = { method: 'GET', route: '/payment/:eventId', status: 200 };
    for (const seconds of [0.001, 0.005, 0.006, 11]) metrics.recordResponse({ ...response, seconds });
    metrics.recordResponse({ ...response, status: 404, seconds: 0.2 });

    const text = await formatMeasurements(await metrics.read());

    const labels = 'method="GET",route="/payment/:eventId",status="200"';
    const name = 'handstamp_http_request_duration_seconds';
    expect(text).toContain(`# TYPE ${name} histogram`);
    const counts = { '0.005': 2, '0.025': 3, '10': 3, '+Inf': 4 };
    for (const [le, count] of Object.entries(counts))
      expect(text).toContain(`${name}_bucket{${labels},le="${le}"} ${count}\n`);
    expect(text).toContain(`${name}_count{${labels}} 4`);
    expect(text).toContain(`${name}_sum{${labels}} 11.012`);
    expect(text).toContain(`${name}_count{method="GET",route="/payment/:eventId",status="404"} 1`);
  });

  it('count what batchers do [WATCH-1]', async () => {
    const metrics = openProcessMetrics({ pools: {}, build });
    const held = Promise.withResolvers<void>();
    const answer = async (items: readonly string[]) => {
      await held.promise;
      return items;
    };
    const batcher = openBatcher<string, string>(
      { name: 'counted', one: async (item) => (await answer([item]))[0] ?? '', many: answer },
      { maxQueueLength: 3 },
    );
    const figure = async (name: string) =>
      (await metrics.read())
        .find((one) => one.name === name)
        ?.values.find(({ labels }) => labels['batcher'] === 'counted')?.value;

    const served = Promise.all(['a', 'b', 'c'].map((item) => batcher.run(item)));
    await expect(batcher.run('d')).rejects.toThrow();
    expect(await figure('handstamp_batcher_rejected_total')).toBe(1);
    held.resolve();
    await served;

    expect(await figure('handstamp_batcher_waiting')).toBe(0);
    expect(await figure('handstamp_batches_total')).toBe(1);
    expect(await figure('handstamp_batched_requests_total')).toBe(3);
  });
});

/** Measures this process: event loop delay, memory, CPU time and database connections. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Pool } from '#server/platform/database.ts';
import type { Sample } from './sample.ts';

const WINDOW_MS = 10_000;
const RESOLUTION_MS = 10;
const QUANTILES = [50, 99, 100];

export function measureProcess(pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>): () => Sample[] {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const readDelay = () =>
    QUANTILES.map((percent): Sample => {
      // The histogram includes the sampling interval itself, which is no delay.
      const seconds = Math.max(0, delay.percentile(percent) / 1e9 - RESOLUTION_MS / 1000);
      const labels = { quantile: String(percent / 100) };
      return { kind: 'handstamp_event_loop_delay_seconds', labels, value: seconds };
    });
  let lastWindow = readDelay();
  setInterval(() => {
    lastWindow = readDelay();
    delay.reset();
  }, WINDOW_MS).unref();

  return () => {
    const { user, system } = process.cpuUsage();
    const connections = { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
    return [
      { kind: 'handstamp_process', labels: { pid: String(process.pid) }, value: 1 },
      { kind: 'handstamp_memory_bytes', labels: {}, value: process.memoryUsage.rss() },
      { kind: 'handstamp_cpu_seconds_total', labels: {}, value: (user + system) / 1e6 },
      ...lastWindow,
      ...Object.entries(connections).map(
        ([state, value]): Sample => ({ kind: 'handstamp_pool_connections', labels: { state }, value }),
      ),
    ];
  };
}

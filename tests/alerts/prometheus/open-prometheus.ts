/** A real Prometheus with the files of deploy/prometheus: the rules in another time scale, and the servers of a test as targets. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { replaced } from '#tests/ha/cluster/shipped-files.ts';
import { cleanUpOnExit } from '#tests/support/clean-up-on-exit.ts';
import { freePort } from '#tests/support/free-port.ts';
import { METRICS_TOKEN, until } from '#tests/support/metrics.ts';
import type { Product } from '#tests/support/product.ts';
import { scaled } from './scaled-rules.ts';

const DEPLOY = new URL('../../../deploy/prometheus/', import.meta.url);
const shipped = (name: string) => readFileSync(new URL(name, DEPLOY), 'utf8');

export interface Alert {
  name: string;
  /** What the operator reads. */
  summary: string;
}

export interface Prometheus {
  firing(): Promise<Alert[]>;
  /** The values that the expression has now. */
  query(expression: string): Promise<number[]>;
  close(): Promise<void>;
}

const alertsAnswer = z.object({
  data: z.object({
    alerts: z.array(
      z.object({
        labels: z.object({ alertname: z.string() }),
        annotations: z.object({ summary: z.string() }),
        state: z.enum(['pending', 'firing']),
      }),
    ),
  }),
});
const queryAnswer = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

export async function openPrometheus(servers: readonly Pick<Product, 'url'>[]): Promise<Prometheus> {
  const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-prometheus-'));
  chmodSync(folder, 0o755);
  const close = cleanUpOnExit(folder);
  const fileOf = (name: string) => path.join(folder, name);
  writeFileSync(fileOf('handstamp.token'), METRICS_TOKEN);
  writeFileSync(fileOf('alerts.yml'), scaled(shipped('alerts.yml')));
  writeFileSync(fileOf('prometheus.yml'), configurationOf(servers, fileOf('handstamp.token')));

  const address = `127.0.0.1:${await freePort()}`;
  const program = spawn(
    'prometheus',
    [
      `--config.file=${fileOf('prometheus.yml')}`,
      `--storage.tsdb.path=${fileOf('series')}`,
      `--web.listen-address=${address}`,
      '--log.level=warn',
    ],
    { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  // Ended with the folder.
  writeFileSync(fileOf('server.pid'), String(program.pid));
  const get = async (page: string): Promise<unknown> => (await fetch(`http://${address}${page}`)).json();
  await until('Prometheus answers', () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );

  return {
    async firing() {
      const { alerts } = alertsAnswer.parse(await get('/api/v1/alerts')).data;
      return alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels, annotations }) => ({ name: labels.alertname, summary: annotations.summary }));
    },
    async query(expression) {
      const page = `/api/v1/query?${new URLSearchParams({ query: expression })}`;
      return queryAnswer.parse(await get(page)).data.result.map(({ value: [, value] }) => Number(value));
    },
    close,
  };
}

/** The shipped one, every second. */
function configurationOf(servers: readonly Pick<Product, 'url'>[], token: string): string {
  const targets = servers.map(({ url }) => `"127.0.0.1:${new URL(url).port}"`).join(', ');
  const own = replaced(shipped('prometheus.yml'), {
    'scrape_interval: 15s': 'scrape_interval: 1s',
    'scheme: https': 'scheme: http',
    '/etc/prometheus/handstamp.token': token,
    '[tickets.example]': `[${targets}]`,
  });
  return `global: { evaluation_interval: 1s }\n${own}`;
}

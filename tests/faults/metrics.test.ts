/** `/metrics`, `/readyz` and the log of a real server, compared with what the documents, the rules and the dashboard say. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logFields } from '#server/main/open-log.ts';
import { catalog } from '#server/platform/metrics/catalog.ts';
import { METRICS_TOKEN, metricsOf } from '#tests/support/metrics.ts';
import { buyTickets, codesOf, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (path: string) => readFile(join(root, path), 'utf8');

let product: Product;
beforeAll(async () => {
  product = await startProduct({ METRICS_TOKEN });
});
afterAll(() => product?.remove());

/** The names in the first column of the tables of a section. */
function firstColumn(document: string, heading: string): string[] {
  const [, section = ''] = document.split(`\n${heading}\n`);
  const [body = ''] = section.split(/\n#{2,3} /);
  const cells = [...body.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

const METRIC = /\b(?:handstamp|process|nodejs)_[a-z0-9_]+\b/g;

describe('the metrics', () => {
  it('have the names that the documents list, and no others [WATCH-4]', async () => {
    const answered = [...(await metricsOf(product)).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
    const documented = firstColumn(await textOf('docs/running.md'), '## Metrics');

    expect(answered.filter((name) => name.startsWith('handstamp_')).sort()).toEqual(Object.keys(catalog).sort());
    expect(documented.sort()).toEqual(answered.sort());
  });

  it('have every name that the rules and the dashboard use [ALERT-2]', async () => {
    const answered = await metricsOf(product);
    const types = new Map([...answered.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name = '', type]) => [name, type]));
    const dashboard = JSON.parse(await textOf('deploy/grafana/handstamp.json'), (key, value: unknown) =>
      key === 'expr' || typeof value !== 'string' ? value : '',
    );
    const used = `${await textOf('deploy/prometheus/alerts.yml')} ${JSON.stringify(dashboard)}`.match(METRIC) ?? [];
    const unknown = used.filter(
      (name) => !types.has(name) && types.get(name.replace(/_(?:bucket|sum|count)$/, '')) !== 'histogram',
    );

    expect(new Set(used).size).toBeGreaterThan(30);
    expect(unknown).toEqual([]);
  });

  it('say the route and not who asked for what [WATCH-1]', async () => {
    const site = siteOf(product);
    const { eventId } = await eventOnSale(site);
    const order = await buyTickets(site, eventId, generalAdmission(2), 'ann@example.com');
    await fetch(`${product.url}/api/public/event/${eventId}?secret=hunter2`);
    await fetch(`${product.url}/nowhere/ann@example.com`);

    const text = await metricsOf(product);

    const count = (labels: string) => `handstamp_http_request_duration_seconds_count{${labels},process="1"}`;
    expect(text).toContain(count('method="GET",route="/api/public/event/:eventId",status="200"'));
    expect(text).toMatch(/_count\{method="GET",route="(?:none|\/\*)",status="404",process="1"\} 1/);
    for (const personal of ['ann@', eventId, 'hunter2', 'nowhere', ...codesOf(order)])
      expect(text).not.toContain(personal);
    expect(text).toMatch(/^handstamp_tickets_sold \d+$/m);
  });
});

describe('the running version', () => {
  const BUILD = {
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    commit: expect.any(String),
    schema: expect.any(String),
  };

  it('is in the first line of the log and in the metrics [WATCH-3]', async () => {
    const [line = ''] = product.output().split('\n');
    expect(JSON.parse(line)).toMatchObject({ msg: 'starting', ...BUILD });

    const { version, commit, schema } = JSON.parse(line);
    const labels = `version="${version}",commit="${commit}",schema="${schema}",process="1"`;
    expect(await metricsOf(product)).toContain(`handstamp_build_info{${labels}} 1`);
  });

  it('is in /readyz for requests from this machine only [WATCH-3]', async () => {
    const readyz = async (headers: Record<string, string>) =>
      (await fetch(`${product.url}/readyz`, { headers })).json();

    expect(await readyz({})).toEqual({ status: 'ready', ...BUILD });
    expect(await readyz({ 'x-forwarded-for': '203.0.113.9' })).toEqual({ status: 'ready' });
  });
});

describe('the log', () => {
  it('has the fields that the documents list, and no others [WATCH-4]', async () => {
    const documented = firstColumn(await textOf('docs/running.md'), "### The fields of the server's log");
    const ofPino = ['level', 'time', 'pid', 'msg'];

    expect(documented.sort()).toEqual([...new Set([...ofPino, ...logFields])].sort());
  });
});

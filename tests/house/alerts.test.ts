/** The alert rules and the dashboard, read as Prometheus and Grafana read them. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { catalog } from '#server/platform/metrics/catalog.ts';
import { scaled } from '#tests/alerts/prometheus/scaled-rules.ts';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

const textOf = (path: string) => readFile(join(repository, path), 'utf8');

const rule = z.strictObject({
  alert: z.string().regex(/^Handstamp[A-Z]\w+$/),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string().regex(/^[^.].*\.$/), runbook_url: z.string() }),
});
const rulesFile = z.strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule) })) });
const shipped = await textOf('deploy/prometheus/alerts.yml');
const rulesOf = (text: string) => rulesFile.parse(parse(text)).groups[0]?.rules ?? [];
const rules = rulesOf(shipped);
const names = rules.map(({ alert }) => alert);

const testedFile = z.object({
  rule_files: z.array(z.string()),
  tests: z.array(
    z.object({
      input_series: z.array(z.object({ series: z.string() })),
      alert_rule_test: z.array(
        z.object({ alertname: z.string(), exp_alerts: z.array(z.object({ exp_annotations: z.unknown() })) }),
      ),
    }),
  ),
});
const { tests } = testedFile.parse(parse(await textOf('deploy/prometheus/alerts.test.yml')));

const panel = z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) });
const { panels } = z
  .object({ panels: z.array(panel) })
  .parse(JSON.parse(await textOf('deploy/grafana/handstamp.json')));

/** Every expression and series, each with a name for the failure. */
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...tests.flatMap(({ input_series: series }) => series.map((one) => ['alerts.test.yml', one.series] as const)),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

const SUFFIX = /_(?:bucket|sum|count)$/;
/** Of Prometheus, and of `/metrics` as a whole. */
const EVERYWHERE = ['job', 'instance', 'process', 'le'];

const labelsOf = new Map<string, readonly string[]>(
  Object.entries(catalog).map(([name, { labels }]) => [name, labels]),
);
const catalogued = (name: string) => labelsOf.get(name) ?? labelsOf.get(name.replace(SUFFIX, ''));

const promtool = (...args: string[]) =>
  promisify(execFile)('promtool', args, { cwd: join(repository, 'deploy/prometheus') });
const installed = await promtool('--version').then(
  () => ['promtool'],
  () => [],
);

describe('The alert rules', () => {
  it('are many, each with another name and its own section in the runbooks [ALERT-2]', async () => {
    const sections = [...(await textOf('docs/runbooks.md')).matchAll(/^## (\w+)$/gm)].map(([, name]) => name);

    expect(names.length).toBeGreaterThan(20);
    expect(sections).toEqual(names);
    expect(rules.map(({ annotations }) => annotations.runbook_url)).toEqual(
      names.map((name) => `docs/runbooks.md#${name.toLowerCase()}`),
    );
  });

  it('are each tested to fire and to clear [ALERT-2]', () => {
    const outcomes = tests.map(({ alert_rule_test: steps }) =>
      steps.map(({ alertname, exp_alerts: alerts }) => `${alertname} ${alerts.length > 0 ? 'fires' : 'clears'}`),
    );

    expect(outcomes).toEqual(names.map((name) => [`${name} fires`, `${name} clears`]));
  });

  it('have each a real fault in `npm run alerts` [WATCH-7]', async () => {
    const faults = await Promise.all((await filesOf(['tests/alerts/*.alerts.ts'])).map(textOf));
    const caused = faults.flatMap((text) => [...text.matchAll(/\balerts: \[([^\]]*)\]/g)].map(([, list = '']) => list));
    const alerts = caused.flatMap((list) => [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name));

    expect([...new Set(alerts)].sort()).toEqual(names.toSorted());
  });

  it('keep everything but their durations there [WATCH-7]', () => {
    const own = rulesOf(scaled(shipped));
    const rangeless = ({ expr }: (typeof rules)[number]) => expr.replace(/\[\w+\]/g, '[]');

    expect(own.map((one) => ({ ...one, for: '', expr: rangeless(one) }))).toEqual(
      rules.map((one) => ({ ...one, for: '', expr: rangeless(one) })),
    );
    expect(own.map((one) => one.for)).toEqual(rules.map((one) => one.for?.replace('1h', '60m').replace('m', 's')));
    expect(scaled('rate(a[5m]) / max_over_time(b[1d]) > 5')).toBe('rate(a[5s]) / max_over_time(b[1440s]) > 5');
  });

  it('use only metrics and labels of the catalog, like the dashboard [ALERT-2]', () => {
    const unknown = expressions.flatMap(([name, expression]) => [
      ...(expression.match(/\bhandstamp_\w+/g) ?? []).filter((metric) => !catalogued(metric)),
      ...[...expression.matchAll(/\b(handstamp_\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', selector = '']) =>
        [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)]
          .map(([, label = '']) => label)
          .filter((label) => ![...(catalogued(metric) ?? []), ...EVERYWHERE].includes(label))
          .map((label) => `${name}: ${metric}{${label}}`),
      ),
    ]);

    expect(expressions.length).toBeGreaterThan(80);
    expect(unknown).toEqual([]);
  });

  // Debian has it in its package `prometheus`. `npm test` doesn't install it.
  it.each(installed)('pass the checks and tests of %s [ALERT-2]', async () => {
    expect((await promtool('check', 'rules', 'alerts.yml')).stdout).toContain(`${rules.length} rules found`);
    expect((await promtool('test', 'rules', 'alerts.test.yml')).stdout).toContain('SUCCESS');
  });
});

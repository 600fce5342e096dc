import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlantedTree, plantedTree, runGate } from './planted-tree.ts';

/** Top to bottom, as in the rule. */
const MODULES = [
  'main',
  'backoffice',
  'emails',
  'checkin',
  'payments',
  'orders',
  'events',
  'accounts',
  'ledger',
  'platform',
];

/** For each rule of .dependency-cruiser.mjs one file that breaks it. A path ending in `.test.ts` never would. */
const violations: Record<string, { path: string; source: string }> = {
  'domain-imports-nothing': { path: 'src/domain/planted.ts', source: "import 'node:fs';" },
  'messages-import-the-contract': { path: 'src/messages/planted.ts', source: "import '#server/platform/ids.ts';" },
  'contract-imports-domain-and-zod': {
    path: 'src/contract/planted.ts',
    source: "import type { AppError } from '#server/platform/app-error.ts'; export type R = AppError;",
  },
  'server-never-imports-web': { path: 'src/server/planted-web.ts', source: "import '#web/planted-page.ts';" },
  'web-never-imports-server': {
    path: 'src/web/planted-page.ts',
    source: "import type { AppError } from '#server/platform/app-error.ts'; export type R = AppError;",
  },
  'sandbox-stands-alone': { path: 'src/sandbox/planted.ts', source: "import '#domain/money.ts';" },
  'service-worker-stands-alone': { path: 'src/service-worker/planted.ts', source: "import '#contract/endpoint.ts';" },
  'nothing-imports-the-service-worker': {
    path: 'src/web/planted-worker.ts',
    source: "import '../service-worker/strategy.ts';",
  },
  'only-main-starts-the-sandbox': { path: 'src/server/planted-box.ts', source: "import '#sandbox/planted.ts';" },
  'src-never-imports-tests': { path: 'src/server/planted-tests.ts', source: "import '../../tests/planted.ts';" },
  'nobody-imports-bench': { path: 'src/server/planted-bench.ts', source: "import '../../bench/planted.ts';" },
  'bench-measures-the-product': { path: 'bench/planted-web.ts', source: "import '#web/planted-page.ts';" },
  'client-stands-alone': {
    path: 'clients/typescript/src/planted.ts',
    source: "import '../../../src/domain/money.ts';",
  },
  'server-files-belong-to-a-module': { path: 'src/server/planted-loose.ts', source: "import '#domain/money.ts';" },
  ...Object.fromEntries(
    [...MODULES.entries()].slice(1).map(([index, module]) => [
      `${module}-imports-down`,
      {
        path: `src/server/${module}/planted-upward.ts`,
        source: `import '#server/${MODULES[index - 1]}/planted.ts';`,
      },
    ]),
  ),
  'sql-is-private-to-its-module': {
    path: 'src/server/checkin/planted-module.ts',
    source: "import '#server/payments/planted.sql.ts';",
  },
  'sql-decides-nothing': {
    path: 'src/server/payments/planted.sql.ts',
    source: "import '#server/payments/planted.ts';",
  },
  'only-main-mounts-routes': {
    path: 'src/server/payments/planted-use-case.ts',
    source: "import '#server/payments/planted.routes.ts';",
  },
  'only-sql-reaches-the-database': { path: 'src/server/payments/planted-pg.ts', source: "import 'pg';" },
  'only-routes-know-fastify': {
    path: 'src/server/payments/planted-http.ts',
    source: "import type { FastifyRequest } from 'fastify'; export type R = FastifyRequest;",
  },
  'only-adapters-know-a-vendor': { path: 'src/server/payments/planted-card.ts', source: "import 'stripe';" },
  'only-photos-and-emails-render-images': { path: 'src/server/events/planted-photo.ts', source: "import 'sharp';" },
  'only-accounts-know-secrets': { path: 'src/server/events/planted-secret.ts', source: "import 'jose';" },
  'only-the-worker-knows-the-queue': {
    path: 'src/server/events/planted-queue.ts',
    source: "import 'graphile-worker';",
  },
  'only-main-chooses-adapters': {
    path: 'src/server/emails/planted-adapter.ts',
    source: "import '#server/platform/adapters/planted/planted-adapter.ts';",
  },
  'only-the-ledger-writes-money': {
    path: 'src/server/payments/planted-money.ts',
    source: "import '#server/ledger/planted.sql.ts';",
  },
  'screens-never-import-screens': {
    path: 'src/web/planted-screen/PlantedScreen.tsx',
    source: "import '#web/planted-other/PlantedOther.tsx';",
  },
  'ui-knows-no-screen': {
    path: 'src/web/ui/PlantedButton.tsx',
    source: "import '#web/planted-other/PlantedOther.tsx';",
  },
  'shell-knows-no-screen': {
    path: 'src/web/shell/PlantedFrame.tsx',
    source: "import '#web/planted-other/PlantedOther.tsx';",
  },
  'no-circles': { path: 'src/domain/planted-circle.ts', source: "import './planted-circle-back.ts';" },
  'no-barrels': { path: 'src/server/planted-barrel.ts', source: "import './events/index.ts';" },
  'no-orphans': { path: 'src/server/planted-orphan.ts', source: 'export const forgotten = 1;' },
  'nothing-unresolved': { path: 'src/server/planted-typo.ts', source: "import '#server/no-such-file.ts';" },
  'only-declared-packages': { path: 'src/server/planted-stray.ts', source: "import 'fast-uri';" },
  'server-runs-without-dev-packages': { path: 'src/server/planted-dev.ts', source: "import 'fast-check';" },
};

/** Import targets of the violations, so that no rule fails merely because an import is unresolved. */
const targets: Record<string, string> = {
  ...Object.fromEntries(MODULES.map((module) => [`src/server/${module}/planted.ts`, 'export const below = 1;'])),
  'src/server/events/planted.sql.ts': 'export const query = 1;',
  'src/server/ledger/planted.sql.ts': 'export const query = 1;',
  'src/server/payments/planted.routes.ts': 'export const routes = 1;',
  'src/server/platform/adapters/planted/planted-adapter.ts': 'export const adapter = 1;',
  'src/server/events/index.ts': 'export const barrel = 1;',
  'src/web/planted-other/PlantedOther.tsx': 'export const other = 1;',
  'src/domain/planted-circle-back.ts': "import './planted-circle.ts';",
  'tests/planted.ts': 'export const builder = 1;',
  'bench/planted.ts': 'export const measure = 1;',
};

interface Cruise {
  summary: {
    violations: { from: string; to: string; rule: { name: string } }[];
    totalCruised: number;
    ruleSetUsed: { forbidden: { name: string }[] };
  };
  modules: { source: string; dependencies: { resolved: string }[] }[];
}

describe('The import rule', () => {
  let tree: PlantedTree;
  let planted: Cruise;

  beforeAll(async () => {
    tree = await plantedTree();
    for (const { path, source } of Object.values(violations)) await tree.plant(path, source);
    for (const [path, source] of Object.entries(targets)) await tree.plant(path, source);
    planted = await cruise(tree.root, ['src', 'bench', 'clients']);
  });

  afterAll(() => tree[Symbol.asyncDispose]());

  it('has a planted violation for each of its entries', () => {
    const rules = planted.summary.ruleSetUsed.forbidden.map((rule) => rule.name);

    expect(Object.keys(violations).sort()).toEqual(rules.sort());
  });

  it.each(Object.entries(violations))('catches %s', (name, { path }) => {
    const caught = planted.summary.violations.filter(({ from, to }) => from === path || to === path);

    expect(caught.map(({ rule }) => rule.name)).toContain(name);
  });

  it('catches a cycle between server folders', () => {
    const imports = (source: string, ...resolved: string[]) => ({
      source: `src/server/${source}`,
      dependencies: resolved.map((path) => ({ resolved: `src/server/${path}` })),
    });
    const tree = [
      imports('orders/cart/a.ts', 'orders/stock/b.ts'),
      imports('orders/stock/c.ts', 'orders/cart/d.ts'),
      imports('orders/stock/e.test.ts', 'events/f.ts'),
      imports('events/f.ts', 'orders/stock/b.ts'),
    ];

    expect(foldersInCycles(tree)).toEqual(['src/server/orders/cart', 'src/server/orders/stock']);
  });

  // That it has no other violation is the gate `rule` of `npm run check`.
  it('finds no cycle between server folders in the repository', () => {
    const isPlanted = new Set([...Object.values(violations).map(({ path }) => path), ...Object.keys(targets)]);
    const modules = planted.modules.filter(({ source }) => !isPlanted.has(source));

    expect(planted.summary.totalCruised).toBeGreaterThan(100);
    expect(foldersInCycles(modules)).toEqual([]);
  });
});

async function cruise(root: string, folders: string[]): Promise<Cruise> {
  const options = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json'];
  const { output } = await runGate(root, 'depcruise', [...options, ...folders]);
  // The format is the tool's; if it changes, the test fails.
  return JSON.parse(output) as Cruise;
}

/** Server folders in an import cycle. Skips tests, which may import anything. */
function foldersInCycles(modules: Cruise['modules']): string[] {
  const isSource = (path: string) => path.startsWith('src/server/') && !path.endsWith('.test.ts');
  const imports = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules.filter((module) => isSource(module.source))) {
    const from = dirname(source);
    const targets = dependencies.map(({ resolved }) => resolved).filter(isSource);
    for (const to of targets.map(dirname).filter((folder) => folder !== from))
      imports.set(from, (imports.get(from) ?? new Set()).add(to));
  }
  return [...imports.keys()].filter((folder) => reachable(folder, imports).has(folder)).sort();
}

function reachable(start: string, imports: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>();
  const open = [...(imports.get(start) ?? [])];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    open.push(...(imports.get(folder) ?? []));
  }
  return seen;
}

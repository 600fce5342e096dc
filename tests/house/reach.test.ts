import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

interface Change {
  path: string;
  before: string | null;
  after: string | null;
}

interface Reach {
  LANDMARKS: string[];
  reachedBy(files: Map<string, string>, changes: Change[]): { file: string; kind: string; distance: number }[];
  journeysOfScreens(files: Map<string, string>): Map<string, { journey: string; steps: number }[]>;
}

const { LANDMARKS, reachedBy, journeysOfScreens } = (await import(
  new URL('../../scripts/reach.mjs', import.meta.url).href
)) as Reach;

const SMALL = new Map([
  ['src/domain/limits.ts', '/** Longest name. */\nexport const NAME_MAX = 50;\n\nexport const CITY_MAX = 100;\n'],
  [
    'src/contract/names.ts',
    "import { NAME_MAX } from '#domain/limits.ts';\nexport const rename = endpoint(NAME_MAX);\n",
  ],
  ['src/contract/words.ts', "export * from './names.ts';\n"],
  ['tests/house/words.test.ts', "import { rename } from '#contract/words.ts';\nit('is', () => rename);\n"],
  ['src/contract/cities.ts', "export const move = endpoint('/api/move');\n"],
  [
    'src/server/main/app.ts',
    "import { cityRoutes } from './cities/cities.routes.ts';\nexport const buildApp = [cityRoutes];\n",
  ],
  [
    'src/server/cities/cities.routes.ts',
    `import * as contract from '#contract/cities.ts';
import { moveTo } from './move-to.ts';
export function cityRoutes(server) {
  mount(app, contract.move, (city) => moveTo(city));
}
`,
  ],
  [
    'src/server/cities/move-to.ts',
    "import { CITY_MAX } from '#domain/limits.ts';\nexport const moveTo = (city) => city.slice(0, CITY_MAX);\n",
  ],
  ['src/server/cities/map.test.ts', "import { it } from 'vitest';\nit('has a map', () => {});\n"],
  [
    'src/web/routes.tsx',
    "export const routes = [{ path: '/city/:id', lazy: () => import('./city/CityScreen.tsx') }];\n",
  ],
  [
    'src/web/city/CityScreen.tsx',
    "import styles from './city.module.css';\nexport const CityScreen = () => styles.city;\n",
  ],
  ['tests/support/test-database.ts', 'export const open = 1;\n'],
  [
    'tests/support/test-app.ts',
    `import { buildApp } from '#server/main/app.ts';
import { open } from './test-database.ts';
export const startTestApp = () => buildApp(open);
`,
  ],
  [
    'tests/money/moved.test.ts',
    `import { move } from '#contract/cities.ts';
import { startTestApp } from '#tests/support/test-app.ts';
it('moves', () => startTestApp().call(move));
`,
  ],
  [
    'tests/money/other.test.ts',
    "import { startTestApp } from '#tests/support/test-app.ts';\nit('opens', () => startTestApp());\n",
  ],
  ['tests/house/pages.test.ts', "const pages = filesOf(['docs/*.md']);\n"],
  ['tests/house/names.test.ts', "import { rename } from '#contract/names.ts';\nit('is', () => rename);\n"],
  ['tests/journeys/city.spec.ts', 'test("is shown", ({ page }) => page.goto(`/city/${id}?tab=1`));\n'],
]);

function reached(path: string, change: (text: string) => string) {
  const before = SMALL.get(path) ?? '';
  return reachedBy(SMALL, [{ path, before, after: change(before) }]).map(({ file, kind }) => `${kind} ${file}`);
}

describe('A change reaches', () => {
  it('tests that use the changed declaration, not those of another one in its file', () => {
    expect(reached('src/domain/limits.ts', (text) => text.replace('50', '5'))).toEqual([
      'pure tests/house/names.test.ts',
      'pure tests/house/words.test.ts',
    ]);
  });

  it('the routes of a changed endpoint, and the other tests in their folder', () => {
    expect(reached('src/domain/limits.ts', (text) => text.replace('100', '10'))).toEqual([
      'product tests/money/moved.test.ts',
      'pure src/server/cities/map.test.ts',
    ]);
  });

  it("the journeys that open a changed screen's address", () => {
    expect(reached('src/web/city/city.module.css', () => '.city {}')).toEqual(['journey tests/journeys/city.spec.ts']);
  });

  it('every test that starts the app, if it changes how the app starts', () => {
    expect(reached('src/server/main/app.ts', (text) => text.replace('[', '[1, '))).toEqual([
      'product tests/money/other.test.ts',
      'product tests/money/moved.test.ts',
    ]);
  });

  it('a test that names a file it cannot import', () => {
    expect(reached('docs/money.md', () => '# Money')).toEqual(['pure tests/house/pages.test.ts']);
  });

  it('itself, if it is a test', () => {
    expect(reached('tests/money/other.test.ts', (text) => text.replace('opens', 'opens once'))).toEqual([
      'product tests/money/other.test.ts',
    ]);
  });

  it('nothing if only a comment changes', () => {
    expect(reached('src/domain/limits.ts', (text) => text.replace('Longest', 'The longest'))).toEqual([]);
  });
});

describe('In the repository', () => {
  let files: Map<string, string>;
  let journeys: Map<string, { journey: string; steps: number }[]>;
  beforeAll(async () => {
    const paths = await filesOf(['{clients,src,tests,scripts,bench}/**/*.{ts,tsx,mjs,js}']);
    const texts = await Promise.all(paths.map((path) => readFile(join(repository, path), 'utf8')));
    files = new Map(paths.map((path, at) => [path, texts[at] ?? '']));
    journeys = journeysOfScreens(files);
  });

  it('every landmark of the test selection exists', () => {
    expect(LANDMARKS.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  it('every screen has a journey that opens it by its own address', () => {
    const without = [...journeys].filter(([, found]) => !found.some(({ steps }) => steps === 1));

    expect(journeys.size).toBeGreaterThan(8);
    expect(without.map(([folder]) => folder)).toEqual([]);
  });

  it('every journey belongs to a screen', () => {
    const belonging = new Set([...journeys.values()].flat().map(({ journey }) => journey));
    const specs = [...files.keys()].filter((path) => /^tests\/journeys\/.*\.spec\.ts$/.test(path));

    expect(specs.length).toBeGreaterThan(20);
    expect(specs.filter((path) => !belonging.has(path))).toEqual([]);
  });

  it('a refund rule selects the refund tests early', () => {
    const path = 'src/domain/settlement.ts';
    const before = files.get(path) ?? '';
    const after = before.replace("if (ticket.state === 'scanned')", "if (ticket.state === 'void')");
    const found = reachedBy(files, [{ path, before, after }]);
    const opening = found.filter(({ kind }) => kind === 'product').map(({ file }) => file);

    expect(after).not.toBe(before);
    expect(opening.slice(0, 16)).toContain('src/server/payments/refunds/refunds.test.ts');
    expect(found.length).toBeLessThan(files.size / 8);
  });
});

import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

/** Vague words that allow a file to hold anything. `accountInfo` is the name of an endpoint. */
const EMPTY_NAMES =
  /(?:^|(?<!account)[-.])(?:managers?|helpers?|utils?|misc|common|shared|data(?!-directory)|info)(?=[-.])/i;

const SOURCE_FILES_PER_FOLDER = 25;

/** Of the server's files: the longest, the length that nine of ten keep, and how many may be too short to tell a story. */
const LINES = { most: 400, ofNineInTen: 220, few: 20 };
const SHARE_OF_SHORT_FILES = 0.15;

describe('The repository', () => {
  it('contains no TODO comments', async () => {
    const promises = await linesMatching(['src/**/*.{ts,tsx,css,html}', 'migrations/*.sql'], /\b(?:TODO|FIXME|XXX)\b/);

    expect(promises).toEqual([]);
  });

  it('contains no live credentials', async () => {
    const secrets = await linesMatching(
      ['**/*.{ts,tsx,mjs,json,md,sql}'],
      /\b[sr]k_live_[0-9A-Za-z]{10,}|BEGIN [A-Z ]*PRIVATE KEY/,
    );

    expect(secrets).toEqual([]);
  });

  it('loads code on demand only through loadCode, which retries failed requests', async () => {
    const lines = await linesMatching(['src/web/**/*.{ts,tsx}'], /\bimport\(/);
    const loose = lines.filter(
      (line) => !/^src\/web\/(?:routes\.tsx|organizer-screens\.ts):|(?:loadCode|lazyScreen)\(/.test(line),
    );

    expect(lines.length).toBeGreaterThan(loose.length);
    expect(loose).toEqual([]);
  });

  it('leaves the texts of form rules to messages', async () => {
    const rules = await linesMatching(
      ['src/contract/**/*.ts', 'src/web/**/*.{ts,tsx}'],
      /\bz\.\w+\(|\b(?:error|message): /,
    );
    // Descriptions of fields are part of the API's contract, and no rule's answer (decision 93).
    const ofRules = rules.filter((line) => !/\bz\.describe\(/.test(line));
    const withText = ofRules.filter((line) => /(?:\bz\.\w+\(.*|\b(?:error|message): )['"`][A-Z][a-z]/.test(line));

    expect(rules.length).toBeGreaterThan(100);
    expect(withText).toEqual([]);
  });

  it('has no file with a vague name', async () => {
    const files = await filesOf(['clients/**/*', 'src/**/*', 'tests/**/*', 'scripts/**/*', 'bench/**/*']);

    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((path) => EMPTY_NAMES.test(basename(path)))).toEqual([]);
  });

  it('has no folder with more source files than a reader takes in', async () => {
    const sources = (await filesOf(['src/**/*.{ts,tsx}'])).filter((path) => !/\.test\.tsx?$/.test(path));
    const folders = Map.groupBy(sources, (path) => dirname(path));

    const full = [...folders].filter(([, files]) => files.length > SOURCE_FILES_PER_FOLDER);
    expect(full.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
  });

  it('has no server file too long to be read at once, and few too short to tell a story', async () => {
    const files = await filesOf(['src/server/**/*.{ts,sql}']);
    const lengths = await Promise.all(files.map(async (path) => ({ path, lines: await linesOf(path) })));
    const sources = lengths
      .filter(({ path }) => !path.endsWith('.test.ts'))
      .sort((one, other) => one.lines - other.lines);

    expect(lengths.filter(({ lines }) => lines > LINES.most)).toEqual([]);
    expect(sources[Math.floor(sources.length * 0.9)]?.lines).toBeLessThanOrEqual(LINES.ofNineInTen);
    const short = sources.filter(({ lines }) => lines <= LINES.few);
    expect(short.length / sources.length).toBeLessThanOrEqual(SHARE_OF_SHORT_FILES);
  });

  it('numbers its migrations without gaps or duplicates', async () => {
    const numbers = (await filesOf(['migrations/*.sql'])).map((path) => Number(basename(path).slice(0, 4)));

    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it('names each migration for the module that owns its tables', async () => {
    const modules = (await filesOf(['src/server/*/**/*.ts'])).map((path) => path.split('/')[2]);
    const owners = (await filesOf(['migrations/*.sql'])).map((path) => /^\d{4}-(\w+)\.sql$/.exec(basename(path))?.[1]);

    expect(owners.filter((owner) => !modules.includes(owner))).toEqual([]);
  });

  it('keeps functions and triggers out of its numbered migrations', async () => {
    const statements = await linesMatching(['migrations/*.sql'], /^\s*create\b/i);
    const routines = statements.filter((line) => /\b(?:function|procedure|trigger)\b/i.test(line));

    expect(statements.length).toBeGreaterThan(20);
    expect(routines).toEqual([]);
  });

  it('pins every package to one version', async () => {
    const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as Record<string, unknown>;
    const groups = ['dependencies', 'devDependencies', 'optionalDependencies'].map((group) => manifest[group] ?? {});
    const loose = groups
      .flatMap((group) => Object.entries(group))
      .filter(([, version]) => !/^\d+\.\d+\.\d+[-.\w]*$/.test(String(version)));

    expect(groups.flatMap((group) => Object.keys(group))).not.toEqual([]);
    expect(loose).toEqual([]);
  });
});

async function linesOf(path: string): Promise<number> {
  return (await readFile(join(repository, path), 'utf8')).split('\n').length - 1;
}

async function linesMatching(patterns: string[], what: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (const path of await filesOf(patterns)) {
    const text = await readFile(join(repository, path), 'utf8');
    text.split('\n').forEach((line, index) => {
      if (what.test(line)) found.push(`${path}:${index + 1}: ${line.trim()}`);
    });
  }
  return found;
}

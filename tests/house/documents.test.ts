import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkInHeadlines } from '#messages/check-in.ts';
import { addOnGuide, resultGuide } from '#messages/check-in-guide.ts';
import { settings } from '#server/platform/settings.ts';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

describe('The documents', () => {
  it('list exactly the environment variables that the server reads in the README', async () => {
    const { rows } = await settingsTable();

    expect(rows.map(({ name }) => name)).toEqual(Object.keys(settings));
  });

  it('state the default of each variable', async () => {
    const { rows } = await settingsTable();
    const defaults = Object.entries(settings).map(([name, { schema }]) => [name, schema.safeParse(undefined).data]);
    const stated = new Map(rows.map(({ name, value }) => [name, value]));

    for (const [name, value] of defaults) {
      const written = typeof value === 'boolean' ? Number(value) : value;
      if (written !== undefined) expect([name, stated.get(String(name))]).toEqual([name, `\`${String(written)}\``]);
    }
  });

  it('have no broken links', async () => {
    const broken: string[] = [];
    for (const path of await filesOf(['*.md', 'docs/**/*.md'])) {
      const text = await readFile(join(repository, path), 'utf8');
      for (const [, target = ''] of text.matchAll(/(?:\]\(|src="|srcset=")([^)"#\s]+)/g)) {
        if (!/^https?:/.test(target) && !existsSync(join(repository, dirname(path), target)))
          broken.push(`${path}: ${target}`);
      }
    }

    expect(broken).toEqual([]);
  });

  it('name only existing files', async () => {
    const missing: string[] = [];
    for (const path of await filesOf(['*.md', 'docs/**/*.md'])) {
      if (path === 'CHANGELOG.md') continue;
      const text = await readFile(join(repository, path), 'utf8');
      const named = text.matchAll(/`((?:bench|docs|migrations|scripts|src|tests)\/[\w./-]+\w)`/g);
      for (const [, target = ''] of named)
        if (!existsSync(join(repository, target))) missing.push(`${path}: ${target}`);
    }

    expect(missing).toEqual([]);
  });

  it('explain each check-in result to attendants, on screen and on paper', async () => {
    const page = await readFile(join(repository, 'docs/door.md'), 'utf8');
    const unexplained = Object.values(checkInHeadlines).filter((headline) => !page.includes(`| **${headline}.**`));
    const onPaper = [...resultGuide, ...addOnGuide].map(({ result }) => result).sort();

    expect(unexplained).toEqual([]);
    const accepted = ['admitted', 'admitted-offline', 'handed-out', 'handed-out-offline'];
    expect(onPaper).toEqual([...accepted, ...Object.keys(checkInHeadlines)].sort());
  });

  it('name only existing commands', async () => {
    const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const unknown: string[] = [];
    for (const path of await filesOf(['*.md', 'docs/**/*.md'])) {
      const text = await readFile(join(repository, path), 'utf8');
      for (const [command, alone, run] of text.matchAll(/(?:^|`)npm ([a-z-]+)|npm run ([a-z-]+)/gm)) {
        const name = run ?? (alone === 'run' ? null : alone);
        if (name && !(name in scripts) && !['ci', 'install'].includes(name)) unknown.push(`${path}: ${command}`);
      }
    }

    expect(unknown).toEqual([]);
  });

  it.each([
    ['README.md', 250],
    ['ARCHITECTURE.md', 150],
    ['docs/decisions/*.md', 45],
  ])('keep %s to at most %i lines', async (pattern, most) => {
    const paths = await filesOf([pattern]);
    const lengths = await Promise.all(paths.map(async (path) => [path, (await lines(path)).length] as const));

    expect(paths).not.toEqual([]);
    expect(lengths.filter(([, length]) => length > most)).toEqual([]);
  });
});

async function settingsTable() {
  const readme = await lines('README.md');
  const cells = readme.map((line) => /^\| `([A-Z_0-9]+)` \| (.*?) \|/.exec(line)).filter((match) => match !== null);
  return { rows: cells.map(([, name = '', value = '']) => ({ name, value })) };
}

async function lines(path: string): Promise<string[]> {
  return (await readFile(join(repository, path), 'utf8')).trimEnd().split('\n');
}

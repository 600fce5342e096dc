import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './planted-tree.ts';

const textOf = (path: string) => readFile(join(repository, path), 'utf8');

const required = (await textOf('tests/house/asvs-5.0.txt'))
  .split('\n')
  .filter((line) => /^\d/.test(line))
  .flatMap((line) => {
    const [level, ...ids] = line.split(' ');
    return ids.map((id) => `${id} ${level}`);
  });

const rows = [...(await textOf('docs/asvs.md')).matchAll(/^\| (V[\d.]+) \| (.*?) \| .*? \| (.*?) \| (.*) \|$/gm)].map(
  ([, id = '', level = '', status = '', reason = '']) => ({ id, level, status, reason }),
);
const met = rows.filter(({ status }) => status === 'met');

const pathsIn = (reason: string) =>
  [...reason.matchAll(/`((?:[\w.-]+\/)+[\w.-]+|[\w.-]+\.(?:json|md))`/g)].map(([, path = '']) => path);
/** In brackets, but no link. */
const titlesIn = (reason: string) => [...reason.matchAll(/\[([^\]]+)\](?!\()/g)].map(([, title = '']) => title);

describe('The table of OWASP ASVS', () => {
  it('has one row for each requirement of levels 1 and 2', () => {
    expect(required).toHaveLength(253);
    expect(rows.map(({ id, level }) => `${id} ${level}`).sort()).toEqual([...required].sort());
  });

  it('says of each whether it is met, and why not', () => {
    expect(rows.filter(({ status }) => !['met', 'not met', 'not applicable'].includes(status))).toEqual([]);
    expect(rows.filter(({ reason }) => reason === '')).toEqual([]);
  });

  it('names for each that is met files that exist', () => {
    expect(met.filter(({ reason }) => pathsIn(reason).length === 0)).toEqual([]);
    expect(
      met.flatMap(({ id, reason }) =>
        pathsIn(reason).flatMap((path) => (existsSync(join(repository, path)) ? [] : [`${id} ${path}`])),
      ),
    ).toEqual([]);
  });

  it('names tests that exist in the files of their row', async () => {
    const missing: string[] = [];
    for (const { id, reason } of met) {
      const tests = pathsIn(reason).filter(
        (path) => /\.(?:test|spec)\.ts$/.test(path) && existsSync(join(repository, path)),
      );
      const sources = (await Promise.all(tests.map(textOf))).join('\n');
      missing.push(...titlesIn(reason).flatMap((title) => (sources.includes(title) ? [] : [`${id} ${title}`])));
    }

    expect(missing).toEqual([]);
  });
});

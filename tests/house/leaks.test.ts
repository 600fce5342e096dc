/** The runbooks for leaked secrets: complete, and with commands that exist. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from '#server/platform/settings.ts';
import { repository } from './planted-tree.ts';

const textOf = (path: string) => readFile(join(repository, path), 'utf8');

const [, leaks = ''] = (await textOf('docs/runbooks.md')).split('\n# When a secret leaks\n');
const service = await textOf('deploy/debian/handstamp.service');
const install = await textOf('deploy/debian/install.sh');
const credentials = [...service.matchAll(/^LoadCredential=(\w+):(\S+)$/gm)].map(([, name = '', path = '']) => ({
  name,
  path,
}));

describe('The runbooks for leaks', () => {
  it.each(credentials.map(({ name }) => name))('say what to do about %s [OPS-16]', (name) => {
    expect(leaks).toContain(`\`${name}\``);
  });

  it('name settings that exist [OPS-16]', () => {
    const named = [...leaks.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`/g)].map(([, name = '']) => name);

    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
  });

  it('name commands that exist [OPS-16]', async () => {
    const { scripts } = JSON.parse(await textOf('package.json')) as { scripts: Record<string, string> };
    const run = [...leaks.matchAll(/npm run ([\w:-]+)(?: -- ([\w-]+))?/g)];
    const admin = await textOf('scripts/appoint-admin.mjs');

    expect(run.length).toBeGreaterThan(5);
    for (const [command, script = '', action] of run) {
      expect([command, Object.keys(scripts)]).toEqual([command, expect.arrayContaining([script])]);
      if (action !== undefined) expect(admin).toMatch(new RegExp(`^  '?${action}'?: \\{$`, 'm'));
    }
  });
});

describe('The secrets of an installation', () => {
  it('are settings, and files that the installation makes [OPS-7]', () => {
    const made = /^for name in ([\w ]+); do$/m.exec(install)?.[1]?.split(' ');

    expect(credentials.map(({ name }) => name)).toEqual(made);
    expect(credentials.filter(({ name }) => !Object.hasOwn(settings, name))).toEqual([]);
    for (const { name, path } of credentials) expect(path).toBe(`/etc/handstamp/secrets/${name}`);
  });

  it('include the key of a bucket [OPS-13]', () => {
    expect(credentials.map(({ name }) => name)).toContain('PHOTOS_S3_KEY');
  });
});

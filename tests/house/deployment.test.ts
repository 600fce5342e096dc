import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { settings } from '#server/platform/settings.ts';
import { repository } from './planted-tree.ts';

const read = (path: string) => readFile(join(repository, 'deploy', path), 'utf8');

const compose = z.object({
  services: z.object({
    server: z.object({ secrets: z.array(z.string()), environment: z.record(z.string(), z.unknown()) }),
  }),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

/** Of the database's container alone. */
const NOT_OF_THE_SERVER = 'DATABASE_PASSWORD';

/** The names in a loop of a shell script. */
const namesOf = (script: string) => (/for name in (.+); do/.exec(script)?.[1] ?? '').split(' ').sort();

/** The lines of a document in a shell script, commented ones included. */
function settingsOf(script: string): string[] {
  const [, text = ''] = /<<SETTINGS\n([^]+?)\nSETTINGS/.exec(script) ?? [];
  return [...text.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = '']) => name);
}

describe('Debian and the containers', () => {
  it('have the same secrets, and each is a setting', async () => {
    const { services, secrets } = compose.parse(parse(await read('container/compose.yaml')));
    const unit = await read('debian/handstamp.service');
    const loaded = [...unit.matchAll(/^LoadCredential=([A-Z_0-9]+):\/etc\/handstamp\/secrets\/\1$/gm)].map(
      ([, name = '']) => name,
    );

    const wanted = loaded.toSorted();
    expect(wanted).toContain('APP_SECRET');
    expect(wanted.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
    expect(namesOf(await read('debian/install.sh'))).toEqual(wanted);
    expect(services.server.secrets.toSorted()).toEqual(wanted);
    expect(Object.keys(secrets).sort()).toEqual([...wanted, NOT_OF_THE_SERVER].sort());
    expect(namesOf(await read('container/prepare.sh'))).toEqual([...wanted, NOT_OF_THE_SERVER].sort());
    for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`./secrets/${name}`);
  });

  it('set nothing that the server does not know', async () => {
    const { services } = compose.parse(parse(await read('container/compose.yaml')));
    const set = [
      ...settingsOf(await read('debian/install.sh')),
      ...settingsOf(await read('container/prepare.sh')),
      ...Object.keys(services.server.environment),
    ];

    expect(set).toContain('PUBLIC_URL');
    expect(set.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
  });
});

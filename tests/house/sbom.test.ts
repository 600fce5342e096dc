import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { repository } from './planted-tree.ts';

interface Manifest {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

interface Bom {
  bomFormat: string;
  metadata: { component: { name: string; version: string } };
  components: {
    name: string;
    version: string;
    licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  }[];
}

const readJson = async <T>(path: string) => JSON.parse(await readFile(join(repository, path), 'utf8')) as T;

describe('npm run sbom', () => {
  it('lists each direct dependency with its version, and the license of every package', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/sbom.mjs'], { cwd: repository });
    const manifest = await readJson<Manifest>('package.json');
    const bom = await readJson<Bom>(/dist\/\S+/.exec(stdout)?.[0] ?? '');

    expect(bom.bomFormat).toBe('CycloneDX');
    expect(bom.metadata.component).toMatchObject({ name: manifest.name, version: manifest.version });
    const listed = new Set(bom.components.map(({ name, version }) => `${name} ${version}`));
    const direct = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(direct.length).toBeGreaterThan(40);
    expect(direct.map((one) => one.join(' ')).filter((one) => !listed.has(one))).toEqual([]);
    expect(bom.components.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name)).toEqual([]);
  });
});

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { openWorld, type World } from '#tests/support/world.ts';
import { repository } from './planted-tree.ts';

describe('The contract', () => {
  let world: World;
  let endpoints: [name: string, endpoint: AnyEndpoint][];

  beforeAll(async () => {
    world = await openWorld({ runsJobs: false });
    endpoints = await endpointsOfContract();
  });

  afterAll(() => world.close());

  it('is mounted, call by call', () => {
    const missing = endpoints.filter(([, { method, path }]) => !world.app.hasRoute({ method, url: path }));

    expect(endpoints.length).toBeGreaterThan(15);
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('gives no two calls the same address', () => {
    const addresses = endpoints.map(([, { method, path }]) => `${method} ${path}`);

    expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
  });

  it('lets nobody without a session or grant through a guarded call', async () => {
    const open: string[] = [];
    for (const [name, endpoint] of endpoints.filter(([, { access }]) => access !== 'public')) {
      const { statusCode } = await world.app.inject({
        method: endpoint.method,
        url: endpoint.path.replace(/:\w+/g, 'unknown'),
        ...(endpoint.method !== 'GET' && { payload: {} }),
      });
      if (statusCode !== 401) open.push(`${name}: ${statusCode}`);
    }

    expect(open).toEqual([]);
  });
});

async function endpointsOfContract(): Promise<[string, AnyEndpoint][]> {
  const folder = join(repository, 'src/contract');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const found: [string, AnyEndpoint][] = [];
  for (const file of files) {
    const exported = (await import(join(folder, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) if (isEndpoint(value)) found.push([name, value]);
  }
  return found;
}

function isEndpoint(value: unknown): value is AnyEndpoint {
  return typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'reply' in value;
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { endpointsOfContract } from '#tests/support/endpoints.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

describe('The contract', () => {
  let app: TestApp;
  let endpoints: [name: string, endpoint: AnyEndpoint][];

  beforeAll(async () => {
    app = await startTestApp({ runsJobs: false });
    endpoints = await endpointsOfContract();
  });

  afterAll(() => app.close());

  it('is mounted, endpoint by endpoint', () => {
    const missing = endpoints.filter(([, { method, path }]) => !app.server.hasRoute({ method, url: path }));

    expect(endpoints.length).toBeGreaterThan(15);
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('gives each endpoint its own address', () => {
    const addresses = endpoints.map(([, { method, path }]) => `${method} ${path}`);

    expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
  });

  it('rejects calls to guarded endpoints without a session or grant', async () => {
    const open: string[] = [];
    for (const [name, endpoint] of endpoints.filter(([, { access }]) => access !== 'public')) {
      const { statusCode } = await app.server.inject({
        method: endpoint.method,
        url: endpoint.path.replace(/:\w+/g, 'unknown'),
        ...(endpoint.method !== 'GET' && { payload: {} }),
      });
      if (statusCode !== 401) open.push(`${name}: ${statusCode}`);
    }

    expect(open).toEqual([]);
  });
});

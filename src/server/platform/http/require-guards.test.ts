import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { publicEvent } from '#contract/app/events.ts';
import { type Access, endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/message-reply.ts';
import { buildApp } from '#server/main/app.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { Guards } from './guards.ts';
import { mount } from './mount.ts';
import { requireGuards } from './require-guards.ts';

const call = { method: 'POST', path: '/api/protected/planted', input: z.object({}), reply: messageReply } as const;
const planted = endpoint({ ...call, access: 'organizer' });
const answer = async () => ({ msg: 'Done.' });

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
});
afterAll(() => app.close());

/** The whole app with one extra route. */
function withRoute(plugin: FastifyPluginAsync): Promise<FastifyInstance> {
  const isReady = async () => true;
  return buildApp({ deps: app.deps, trustedProxies: 0, isReady, webRoot: null, plugins: [plugin] });
}

describe('a route without a guard', () => {
  it.each<[string, FastifyPluginAsync]>([
    ['is not mounted from the contract', async (server) => void server.post(call.path, answer)],
    [
      'reuses the path of an endpoint under another method',
      async (server) => void server.put(publicEvent.path, answer),
    ],
    [
      'claims the endpoint of another path',
      async (server) => void server.post(call.path, { config: { endpoint: publicEvent } }, answer),
    ],
    ['has an uppercase path', async (server) => void server.post('/API/public/planted', answer)],
    ['has a second slash in its path', async (server) => void server.post('//api/public/planted', answer)],
    ['accepts all methods', async (server) => void server.all('/api/public/planted', answer)],
  ])('keeps the app from starting if it %s', async (_how, plant) => {
    await expect(withRoute(plant)).rejects.toThrow(/: no guard\. Mount an endpoint of the contract\.$/);
  });

  it('requires authentication once it is mounted', async () => {
    const server = await withRoute(async (scope) => mount(scope, planted, answer));

    expect((await server.inject({ method: 'POST', url: call.path, payload: {} })).statusCode).toBe(401);
    await server.close();
  });

  it('is allowed outside /api', () => {
    const server = Fastify();
    requireGuards(server);

    expect(() => server.get('/apiary', answer)).not.toThrow();
  });
});

describe('an endpoint without an access', () => {
  it('does not compile', () => {
    // @ts-expect-error: access is missing.
    endpoint({ ...call });
    // @ts-expect-error: unknown access.
    endpoint({ ...call, access: 'anybody' });
    const known: Record<Access, true> = { public: true, organizer: true, attendant: true, admin: true, key: true };
    const { admin: _admin, ...others } = app.server.handstamp.guards;
    // @ts-expect-error: one kind of access has no guard.
    const incomplete: Guards = others;

    expect(Object.keys(app.server.handstamp.guards).toSorted()).toEqual(Object.keys(known).toSorted());
    expect(Object.keys(incomplete)).toHaveLength(4);
  });

  it('cannot be mounted', async () => {
    const unknown = JSON.parse('"anybody"');

    await expect(
      withRoute(async (scope) => mount(scope, endpoint({ ...call, access: unknown }), answer)),
    ).rejects.toThrow('no guard for access "anybody"');
  });
});

import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '#server/app.ts';
import { openWorld, type World } from '#tests/support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ runsJobs: false });
});
afterAll(() => world.close());

it('serves a request on a connection that the closing has not ended yet, and ends the connection with it', async () => {
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<boolean>();
  const asked = Promise.withResolvers<void>();
  const isReady = () => {
    asked.resolve();
    return ready;
  };
  const app = await buildApp({ deps: world.deps, trustedProxies: 0, isReady, webRoot: null, plugins: [] });
  const socket = await connectedTo(app);
  const answers = text(socket);

  socket.write('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n');
  await asked.promise;
  const isClosed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  const comes = once(app.server, 'request');
  socket.write('GET /api/public/event/AAAAAAAAAAAAAAAA HTTP/1.1\r\nhost: x\r\n\r\n');
  await comes;
  becomeReady(true);
  const [, second] = (await answers).split(/(?=HTTP\/1\.1 )/);

  expect(second).toMatch(/^HTTP\/1\.1 404 /);
  expect(second?.toLowerCase()).toMatch(/\r\nconnection: close\r\n/);
  expect(second?.toLowerCase()).toContain('\r\ncontent-security-policy: ');
  expect(second).toMatch(/\{"msg":".+"\}/);
  await isClosed;
});

async function connectedTo(app: FastifyInstance): Promise<Socket> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

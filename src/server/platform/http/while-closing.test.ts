import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '#server/main/app.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
});
afterAll(() => app.close());

it('serves a request on a connection still open during shutdown, then ends the connection', async () => {
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<boolean>();
  const asked = Promise.withResolvers<void>();
  const isReady = () => {
    asked.resolve();
    return ready;
  };
  const server = await buildApp({ deps: app.deps, trustedProxies: 0, isReady, webRoot: null, plugins: [] });
  const socket = await connectedTo(server);
  const answers = text(socket);

  socket.write('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n');
  await asked.promise;
  const isClosed = server.close();
  await expect.poll(() => server.server.listening).toBe(false);
  const arrived = once(server.server, 'request');
  socket.write('GET /api/public/event/AAAAAAAAAAAAAAAA HTTP/1.1\r\nhost: x\r\n\r\n');
  await arrived;
  becomeReady(true);
  const [, second] = (await answers).split(/(?=HTTP\/1\.1 )/);

  expect(second).toMatch(/^HTTP\/1\.1 404 /);
  expect(second?.toLowerCase()).toMatch(/\r\nconnection: close\r\n/);
  expect(second?.toLowerCase()).toContain('\r\ncontent-security-policy: ');
  expect(second).toMatch(/\{"code":"event.not-found","params":\{\},"msg":".+"\}/);
  await isClosed;
});

async function connectedTo(server: FastifyInstance): Promise<Socket> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

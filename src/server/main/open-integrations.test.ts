import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyPluginAsync } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '#server/platform/config.ts';
import { TestSandbox } from '#tests/support/test-sandbox.ts';
import { joinSandbox, runSandbox, type SandboxResources } from './open-integrations.ts';
import { Shutdown } from './shutdown.ts';

let sandbox: TestSandbox;
const shutdown = new Shutdown();
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterAll(async () => {
  await shutdown.run();
  await sandbox.close();
});

/** The answer to someone at another machine. */
async function consoleOf(pages: FastifyPluginAsync): Promise<number> {
  const server = Fastify();
  await server.register(fastifyCookie);
  await server.register(pages);
  const { statusCode } = await server.inject({ url: '/sandbox/', headers: { host: 'tickets.example' } });
  await server.close();
  return statusCode;
}

it.each([
  ['0', 403],
  ['1', 200],
])('shows the console to others or not in every process: SANDBOX_OPEN=%s [OPS-4]', async (SANDBOX_OPEN, status) => {
  const config = readConfig({ SANDBOX_OPEN, PORT: '0', PUBLIC_URL: sandbox.publicUrl });
  const clock = { now: () => new Date(), advanceSeconds: async () => {}, catchUp: async () => {} };
  const resources: SandboxResources = { pool: sandbox.pool, clock, appSecret: ['a secret of more than 32 characters'] };

  const alone = await runSandbox(config, resources, shutdown);
  const worker = await joinSandbox(config, resources, alone.apiPort);

  expect([await consoleOf(alone.pages), await consoleOf(worker.pages)]).toEqual([status, status]);
});

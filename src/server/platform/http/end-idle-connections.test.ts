import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { endIdleConnections } from './connections.ts';

it('ends a connection whose response was in progress when closing began', async () => {
  const app = Fastify({ forceCloseConnections: 'idle', keepAliveTimeout: 60_000 });
  endIdleConnections(app);
  const answer = new PassThrough();
  app.get('/', (_request, reply) => reply.send(answer));
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true });

  answer.write('the first half, ');
  const [received] = (await once(get(origin, { agent }), 'response')) as [IncomingMessage];
  const isClosed = app.close();
  // Closing has already ended the idle connections; this one was busy.
  await expect.poll(() => app.server.listening).toBe(false);
  answer.end('the second');
  received.resume();
  await once(received, 'end');

  await isClosed;
  agent.destroy();
});

import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { tooBusy } from '#contract/messages/requests.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import { answerErrors } from './answer-errors.ts';

it('answers 503 with a message and Retry-After when the batcher queue is full', async () => {
  const app = Fastify();
  answerErrors(app);
  const never = () => new Promise<never>(() => {});
  const batcher = openBatcher<number, string>({ one: never, many: never }, { maxQueueLength: 1 });
  void batcher.run(1);
  app.get('/', () => batcher.run(2));

  const reply = await app.inject('/');

  expect(reply.statusCode).toBe(503);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  expect(reply.json()).toEqual({ msg: tooBusy });
  await app.close();
});

import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { tooBusy } from '#contract/sentences.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import { answerErrors } from './answer-errors.ts';

it('turns away in words whoever comes when too many wait, and says when to come again', async () => {
  const app = Fastify();
  answerErrors(app);
  const never = () => new Promise<never>(() => {});
  const lane = openBatcher<number, string>({ one: never, many: never }, { waitingAtMost: 1 });
  void lane.run(1);
  app.get('/', () => lane.run(2));

  const reply = await app.inject('/');

  expect(reply.statusCode).toBe(503);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  expect(reply.json()).toEqual({ msg: tooBusy });
  await app.close();
});

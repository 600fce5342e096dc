import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { publicEvent } from '#contract/events.ts';
import { tooBusy } from '#contract/sentences.ts';
import { waitingRoom } from '#contract/waiting-room.ts';
import { answerRefusals } from './answer-refusal.ts';
import { shedLoad, watchLateness } from './shed-load.ts';

/** Keeps the process from everything else. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function appThat(isLate: boolean) {
  const app = Fastify();
  answerRefusals(app);
  shedLoad(app, { isLate: () => isLate, stop: () => {} });
  app.get('/*', async () => ({ served: true }));
  return app;
}

const EVENT_ID = 'IlgFT3QonceaUzyB';
const BEGINS = [
  '/api/public/create-checkout-session',
  '/api/protected/login',
  '/api/protected/profile',
  '/profile',
  '/',
];
const GOES_ON = [
  '/livez',
  '/static/js/entry.js',
  '/success?session_id=x',
  '/api/webhooks/stripe',
  '/api/public/held-checkout?handle=x',
  '/api/public/checkout-session?sessionId=x',
  '/api/public/checkGuestManual',
  waitingRoom.path.replace(':eventId', EVENT_ID),
  publicEvent.path.replace(':eventId', EVENT_ID),
  `/payment/${EVENT_ID}`,
  `/payment/${EVENT_ID}?promo=spring`,
];

describe('a process that cannot keep up', () => {
  it.each(BEGINS)('does not begin %s, and says so with a sentence', async (url) => {
    const reply = await appThat(true).inject(url);

    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('3');
    expect(reply.json()).toEqual({ msg: tooBusy });
  });

  it.each(GOES_ON)('goes on with %s', async (url) => {
    expect((await appThat(true).inject(url)).statusCode).toBe(200);
  });

  it.each([...BEGINS, ...GOES_ON])('serves %s as long as it keeps up', async (url) => {
    expect((await appThat(false).inject(url)).statusCode).toBe(200);
  });

  it('is one that was late by half a second twice in a row, until it is on time again', async () => {
    const lateness = watchLateness();
    const said = [];
    for (const ms of [700, 700, 700]) {
      block(ms);
      // What was due earlier comes first, then this.
      await sleep(1);
      said.push(lateness.isLate());
    }
    await sleep(300);
    said.push(lateness.isLate());
    lateness.stop();

    expect(said).toEqual([false, true, true, false]);
  });
});

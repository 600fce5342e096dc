import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { publicEvent } from '#contract/events.ts';
import { tooBusy } from '#contract/sentences.ts';
import { waitingRoom } from '#contract/waiting-room.ts';
import { answerErrors } from './answer-errors.ts';
import { shedLoad, watchLateness } from './shed-load.ts';

/** Keeps the process from everything else. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function appThat(lateMs: number, serve: () => Promise<unknown> = async () => ({ served: true })) {
  const app = Fastify();
  answerErrors(app);
  shedLoad(app, { 'x-of-all': 'yes' }, { lateMs: () => lateMs, stop: () => {} });
  app.get('/*', serve);
  return app;
}

const ON_TIME = 90;
const LATE = 600;
const VERY_LATE = 800;
const BUYS = '/api/public/create-checkout-session';

const EVENT_ID = 'IlgFT3QonceaUzyB';
const BEGINS = [BUYS, '/api/protected/login', '/api/protected/profile', '/profile', '/'];
const GOES_ON = [
  '/livez',
  '/static/js/entry.js',
  '/success?session_id=x',
  '/api/webhooks/stripe',
  '/api/public/held-checkout?handle=x',
  '/api/public/checkout-session?sessionId=x',
  '/api/public/checkGuestManual',
  '/api/public/hand-in-scans',
  '/api/public/take-back-scan',
  waitingRoom.path.replace(':eventId', EVENT_ID),
  publicEvent.path.replace(':eventId', EVENT_ID),
  `/payment/${EVENT_ID}`,
  `/payment/${EVENT_ID}?promo=spring`,
];

describe('a process that cannot keep up', () => {
  it.each(BEGINS)('does not begin %s, and says so with a sentence', async (url) => {
    const reply = await appThat(VERY_LATE).inject(url);

    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('3');
    expect(reply.json()).toEqual({ msg: tooBusy });
  });

  it('says so before the framework hears of it, with every header', async () => {
    const app = appThat(VERY_LATE);
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });

    const reply = await fetch(`${origin}${BUYS}`, { method: 'POST', body: 'not read' });
    expect([reply.status, reply.headers.get('retry-after'), reply.headers.get('x-of-all')]).toEqual([503, '3', 'yes']);
    expect(await reply.json()).toEqual({ msg: tooBusy });
    expect((await fetch(`${origin}/livez`)).status).toBe(200);
    await app.close();
  });

  it.each(GOES_ON)('goes on with %s', async (url) => {
    expect((await appThat(VERY_LATE).inject(url)).statusCode).toBe(200);
  });

  it.each([...BEGINS, ...GOES_ON])('serves %s as long as it keeps up', async (url) => {
    expect((await appThat(ON_TIME).inject(url)).statusCode).toBe(200);
  });

  it('refuses those who look around before those who buy', async () => {
    const app = appThat(LATE);

    expect([(await app.inject('/')).statusCode, (await app.inject(BUYS)).statusCode]).toEqual([503, 200]);
  });

  it('lets no more buyers in at once than it serves in a bearable time, and everybody at the door', async () => {
    const { promise: served, resolve: serve } = Promise.withResolvers<object>();
    const app = appThat(ON_TIME, () => served);
    const at = async (url: string) => (await app.inject(url)).statusCode;
    const buyers = Array.from({ length: 300 }, () => at(BUYS));
    const guests = Array.from({ length: 300 }, () => at('/api/public/checkGuest'));
    await expect.poll(() => at(BUYS)).toBe(503);
    serve({ served: true });

    const answers = await Promise.all(buyers);
    expect([answers.filter((status) => status === 200).length, new Set(answers)]).toEqual([128, new Set([200, 503])]);
    expect(new Set(await Promise.all(guests))).toEqual(new Set([200]));
    expect(await at(BUYS)).toBe(200);
  });

  it('is one that was late twice in a row, until it is on time again', async () => {
    const lateness = watchLateness();
    const said = [];
    for (const ms of [700, 700, 700]) {
      block(ms);
      // What was due earlier comes first, then this.
      await sleep(1);
      said.push(lateness.lateMs() > 300);
    }
    expect(said).toEqual([false, true, true]);

    await expect.poll(() => lateness.lateMs()).toBeLessThan(300);
    lateness.stop();
  });
});

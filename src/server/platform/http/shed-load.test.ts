import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { publicEvent } from '#contract/app/events.ts';
import { continueCheckout, readCheckoutPage, sendDetails } from '#contract/app/sales/checkout-page.ts';
import { sendOrderCode } from '#contract/app/sales/free-orders.ts';
import { waitingRoom } from '#contract/app/waiting-room.ts';
import { checkInTicket, listTickets } from '#contract/v1/tickets.ts';
import { readTallies } from '#server/platform/metrics/tallies.ts';
import { answerErrors } from './answer-errors.ts';
import { shedLoad, watchEventLoop } from './shed-load.ts';

/** Blocks the event loop. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function appWithDelay(delayMs: number, serve: () => Promise<unknown> = async () => ({ served: true })) {
  const app = Fastify();
  answerErrors(app);
  shedLoad(app, { 'x-of-all': 'yes' }, { delayMs: () => delayMs, stop: () => {} });
  app.get('/*', serve);
  onTestFinished(() => app.close());
  return app;
}

const NO_DELAY = 90;
const SHORT_DELAY = 600;
const LONG_DELAY = 800;
const CHECKOUT = '/api/public/create-checkout-session';

const PUBLIC_ID = 'IlgFT3QonceaUzyB';
const NEW_WORK = [CHECKOUT, '/api/protected/login', '/api/protected/profile', '/profile', '/', `/series/${PUBLIC_ID}`];
const ONGOING_WORK = [
  '/livez',
  '/static/js/entry.js',
  '/success?session_id=x',
  '/api/webhooks/stripe',
  '/api/public/queued-checkout?handle=x',
  '/api/public/checkout-session?sessionId=x',
  readCheckoutPage.path,
  sendDetails.path,
  continueCheckout.path,
  sendOrderCode.path,
  '/api/public/checkGuestManual',
  '/api/public/sync-scans',
  '/api/public/undo-check-in',
  waitingRoom.path.replace(':eventId', PUBLIC_ID),
  publicEvent.path.replace(':eventId', PUBLIC_ID),
  checkInTicket.path.replace(':ticket_id', '0192f0c1-0000-7000-8000-000000000000'),
  `/payment/${PUBLIC_ID}`,
  `/payment/${PUBLIC_ID}?promo=spring`,
];

describe('an overloaded process', () => {
  it.each(NEW_WORK)('denies %s with a message', async (url) => {
    const reply = await appWithDelay(LONG_DELAY).inject(url);

    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('3');
    expect(reply.json()).toEqual(expect.objectContaining({ code: 'server.busy' }));
  });

  it('denies before Fastify runs, with all common headers, and counts it [WATCH-1]', async () => {
    const shed = () => new Map(readTallies().shedRequests).get('buying') ?? 0;
    const before = shed();
    const app = appWithDelay(LONG_DELAY);
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });

    const reply = await fetch(`${origin}${CHECKOUT}`, { method: 'POST', body: 'not read' });
    expect([reply.status, reply.headers.get('retry-after'), reply.headers.get('x-of-all')]).toEqual([503, '3', 'yes']);
    expect(await reply.json()).toEqual(expect.objectContaining({ code: 'server.busy' }));
    expect((await fetch(`${origin}/livez`)).status).toBe(200);
    expect(shed()).toBe(before + 1);
  });

  it('denies calls of programs as their API does [API-3]', async () => {
    const origin = await appWithDelay(LONG_DELAY).listen({ port: 0, host: '127.0.0.1' });

    const reply = await fetch(`${origin}${listTickets.path}`);
    const body = {
      error: { code: 'server.busy', params: { retryAfterSeconds: 3 } },
      request_id: reply.headers.get('x-request-id'),
    };
    expect([reply.status, await reply.json()]).toMatchObject([503, body]);
  });

  it.each(ONGOING_WORK)('serves %s', async (url) => {
    expect((await appWithDelay(LONG_DELAY).inject(url)).statusCode).toBe(200);
  });

  it.each([...NEW_WORK, ...ONGOING_WORK])('serves %s without a delay', async (url) => {
    expect((await appWithDelay(NO_DELAY).inject(url)).statusCode).toBe(200);
  });

  it('denies page views before checkouts', async () => {
    const app = appWithDelay(SHORT_DELAY);

    expect([(await app.inject('/')).statusCode, (await app.inject(CHECKOUT)).statusCode]).toEqual([503, 200]);
  });

  it('limits concurrent checkouts, but not check-ins', async () => {
    const { promise: served, resolve: serve } = Promise.withResolvers<object>();
    const app = appWithDelay(NO_DELAY, () => served);
    const at = async (url: string) => (await app.inject(url)).statusCode;
    const buyers = Array.from({ length: 300 }, () => at(CHECKOUT));
    const guests = Array.from({ length: 300 }, () => at('/api/public/checkGuest'));
    await expect.poll(() => at(CHECKOUT)).toBe(503);
    serve({ served: true });

    const answers = await Promise.all(buyers);
    expect([answers.filter((status) => status === 200).length, new Set(answers)]).toEqual([128, new Set([200, 503])]);
    expect(new Set(await Promise.all(guests))).toEqual(new Set([200]));
    expect(await at(CHECKOUT)).toBe(200);
  });

  it('counts as overloaded after two late ticks in a row, until it is on time again', async () => {
    const lateness = watchEventLoop();
    const overloaded = [];
    for (const ms of [700, 700, 700]) {
      block(ms);
      // Lets the overdue timers run first.
      await sleep(1);
      overloaded.push(lateness.delayMs() > 300);
    }
    expect(overloaded).toEqual([false, true, true]);

    await expect.poll(() => lateness.delayMs()).toBeLessThan(300);
    lateness.stop();
  });
});

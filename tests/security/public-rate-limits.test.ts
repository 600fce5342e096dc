/**
 * Rate limits of failed attempts, on two servers of one installation. A correct value passes regardless of others'
 * failures; over the limit, further attempts are serialized and delayed.
 */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import { checkGuest, enterAttendantCode } from '#contract/app/check-in.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { resetLinkSent } from '#messages/accounts.ts';
import { refundAccepted } from '#messages/refunds.ts';
import { tooManyAttempts } from '#messages/requests.ts';
import { buildApp } from '#server/main/app.ts';
import { limits } from '#server/platform/adapters/rate-limiter/limits.ts';
import { postgresRateLimiter } from '#server/platform/adapters/rate-limiter/postgres-rate-limiter.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  generalAdmission,
  newOrganizer,
  PASSWORD,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let servers: [FastifyInstance, FastifyInstance];
/** A separate scale for log-ins, because a hundred password comparisons take long. */
const LOG_IN_SCALE = 0.05;

const serverWith = (scale: number) =>
  buildApp({
    deps: { ...anotherServer(app.deps), rateLimiter: postgresRateLimiter(app.deps.db, scale, app.deps.appSecret) },
    trustedProxies: 0,
    isReady: async () => true,
    webRoot: null,
    plugins: [],
  });

beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1 });
  servers = [await serverWith(1), await serverWith(1)];
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await app.close();
});

/** Gives each caller a separate IP address. */
let hosts = 0;
const someone = () => `198.51.${Math.floor(++hosts / 250)}.${(hosts % 250) + 1}`;

async function ask(server: FastifyInstance, { path }: AnyEndpoint, payload: object, from: string, cookie?: string) {
  const startedAt = performance.now();
  const reply = await server.inject({
    method: 'POST',
    url: path,
    payload,
    remoteAddress: from,
    headers: cookie ? { cookie } : {},
  });
  const body: { msg?: string } = reply.json();
  const wait = reply.headers['retry-after'];
  return { status: reply.statusCode, body, retryAfter: Number(wait ?? 0), tookMs: performance.now() - startedAt };
}

const times = async <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = [];
  for (let n = 0; n < count; n++) done.push(await work(n));
  return done;
};

/** Failures in all rate limits. Requests rejected unread add none. */
const counted = async () =>
  (await app.db.selectFrom('rateLimits').select('points').execute()).reduce((sum, { points }) => sum + points, 0);
const statuses = (replies: { status: number }[]) => [...new Set(replies.map(({ status }) => status))];
const tooMany = { status: 429, body: { msg: tooManyAttempts } };
/** Minimum delay of each further attempt. */
const PAUSE_MS = 1_900;

describe('POST /api/protected/login', () => {
  let strict: [FastifyInstance, FastifyInstance];
  beforeAll(async () => {
    strict = [await serverWith(LOG_IN_SCALE), await serverWith(LOG_IN_SCALE)];
  });
  afterAll(async () => {
    for (const server of strict) await server.close();
  });
  const attempt = (server: FastifyInstance, email: string, from: string, password = 'wrong password') =>
    ask(server, accounts.login, { email, password }, from);

  it("counts an account's wrong passwords from all addresses and servers, and warns its owner once", async () => {
    const { email } = await verifiedOrganizer(app);
    const [one, other] = strict;

    const free = await times(limits['login-account'].points * LOG_IN_SCALE, (n) =>
      attempt(n % 2 ? one : other, email, someone()),
    );
    const late = await times(2, () => attempt(one, email, someone()));
    const own = await attempt(one, email, someone(), PASSWORD);

    expect(statuses(free)).toEqual([401]);
    for (const reply of late) expect(reply).toMatchObject({ ...tooMany, retryAfter: 2 });
    expect(own).toMatchObject({ status: 200 });
    const warnings = (await emailsTo(app, email)).filter(({ subject }) => subject.includes('guessing'));
    expect(warnings).toHaveLength(1);
  });

  it('delays further guesses, and accepts the right password', async () => {
    const { email } = await newOrganizer(app);
    const [one] = strict;
    const from = someone();
    const before = await counted();
    await times(2, () => attempt(one, email, from));
    const eachCounts = ((await counted()) - before) / 2;

    const flood = await Promise.all(Array.from({ length: 12 }, () => attempt(one, email, from)));

    // Three wait in line; the others are rejected without a password comparison.
    expect(statuses(flood)).toEqual([429]);
    expect(await counted()).toBe(before + (2 + 3) * eachCounts);
    expect(Math.max(...flood.map(({ tookMs }) => tookMs))).toBeGreaterThan(3 * PAUSE_MS);
    const rights = [from, someone()].map((host) => attempt(one, email, host, PASSWORD));
    expect(statuses(await Promise.all(rights))).toEqual([200]);
  });

  it("ignores the client's claim about its IP address", async () => {
    const { email } = await newOrganizer(app);
    const from = someone();
    const headers = (n: number) => ({
      'x-forwarded-for': `203.0.113.${n}`,
      forwarded: `for=203.0.113.${n}`,
      'x-real-ip': `203.0.113.${n}`,
    });
    const responses = await times(2, (n) =>
      strict[0].inject({
        method: 'POST',
        url: accounts.login.path,
        payload: { email, password: 'wrong password' },
        remoteAddress: from,
        headers: headers(n),
      }),
    );

    expect(responses.map(({ statusCode }) => statusCode)).toEqual([401, 429]);
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    const { email } = await newOrganizer(app);
    const [one, other] = strict;

    expect(await attempt(one, email, '2001:db8:0:7::1')).toMatchObject({ status: 401 });
    expect(await attempt(other, email, '2001:db8:0:7:ffff::2')).toMatchObject(tooMany);
    expect(await attempt(other, email, '2001:db8:0:8::1')).toMatchObject({ status: 401 });
  });
});

describe('POST /api/public/request-refund', () => {
  it('counts 200 wrong numbers per event from all callers, then delays each further one, and always accepts a right one', async () => {
    const { eventId } = await eventOnSale(app);
    const [code = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(1)));
    const [one, other] = servers;
    const attempt = (server: FastifyInstance, from: string, confirmationCode = '1000000000') =>
      ask(server, requestRefund, { eventId, confirmationCode }, from);

    const free = await times(20, async (n) => {
      const from = someone();
      return times(10, () => attempt(n % 2 ? one : other, from));
    });
    expect(statuses(free.flat())).toEqual([404]);
    const first = await attempt(one, someone());
    expect(first).toMatchObject({ ...tooMany, retryAfter: 2 });

    const from = someone();
    const [second, stranger, right] = await Promise.all([
      attempt(one, from),
      attempt(one, someone()),
      attempt(one, someone(), code),
    ]);
    for (const { tookMs } of [second, stranger, right]) expect(tookMs).toBeGreaterThan(PAUSE_MS);
    expect([second, stranger]).toMatchObject([tooMany, tooMany]);
    expect(right).toMatchObject({ status: 200, body: { msg: refundAccepted } });
  });

  it('counts ten wrong numbers per caller, across servers and events', async () => {
    const [one, other] = servers;
    const from = someone();
    const attempt = (n: number) =>
      ask(
        n % 2 ? one : other,
        requestRefund,
        { eventId: `event-0000000-0${n % 10}`, confirmationCode: '1000000000' },
        from,
      );

    expect(statuses(await times(10, attempt))).toEqual([404]);
    expect(await attempt(11)).toMatchObject(tooMany);
  });
});

describe('POST /api/public/attendantCode', () => {
  it('counts wrong codes per caller and per event on all servers, and always accepts the right one', async () => {
    const { eventId, attendantCode } = await eventOnSale(app);
    const [one, other] = servers;
    const enter = (server: FastifyInstance, from: string, code = 'GUESS00000') =>
      ask(server, enterAttendantCode, { eventId, formData: { attendantCode: code } }, from);

    const from = someone();
    expect(statuses(await times(10, (n) => enter(n % 2 ? one : other, from)))).toEqual([401]);
    const again = await enter(one, from);
    expect(again).toMatchObject(tooMany);
    expect(again.retryAfter).toBeGreaterThan(500);

    const spread = await times(49, (n) => enter(n % 2 ? one : other, someone()));
    expect(statuses(spread)).toEqual([401]);
    expect(await enter(other, someone())).toMatchObject({ ...tooMany, retryAfter: 2 });
    const rights = [
      enter(one, from, attendantCode),
      enter(other, someone(), attendantCode),
      enter(one, someone(), attendantCode),
    ];
    expect(statuses(await Promise.all(rights))).toEqual([200]);
  });

  it('keeps no counter for invented events', async () => {
    const [one] = servers;
    const from = someone();
    const before = (await app.db.selectFrom('rateLimits').select('key').execute()).length;

    const replies = await times(11, (n) =>
      ask(one, enterAttendantCode, { eventId: `made-up-event-${n}`, formData: { attendantCode: 'GUESS00000' } }, from),
    );

    expect(statuses(replies)).toEqual([401, 429]);
    expect((await app.db.selectFrom('rateLimits').select('key').execute()).length).toBe(before + 1);
  });
});

describe('POST /api/public/checkGuest', () => {
  it('slows down a device that guesses numbers, and lets its right ones and other devices pass', async () => {
    const { eventId, attendantCode } = await eventOnSale(app);
    const codes = codesOf(await buyTickets(app, eventId, generalAdmission(2)));
    const [device, otherDevice] = [
      await attendantOf(app, eventId, attendantCode),
      await attendantOf(app, eventId, attendantCode),
    ];
    const scan = (visitor: typeof device, confirmationNumber: string) =>
      ask(
        servers[0],
        checkGuest,
        { eventId, confirmationNumber },
        '192.0.2.1',
        `attendant=${visitor.cookies.get('attendant')}`,
      );

    const wrong = await Promise.all(Array.from({ length: 181 }, (_, n) => scan(device, `10000000${n}`)));
    expect(wrong.filter(({ status }) => status === 404)).toHaveLength(180);
    expect(wrong.filter(({ status }) => status === 429)).toHaveLength(1);

    const [late, free] = await Promise.all([scan(device, codes[0] ?? ''), scan(otherDevice, codes[1] ?? '')]);
    expect([late.status, free.status]).toEqual([200, 200]);
    expect(late.tookMs).toBeGreaterThan(PAUSE_MS);
    expect(free.tookMs).toBeLessThan(late.tookMs);
  });
});

describe('POST /api/public/forgot-password', () => {
  it('emails a victim three links per hour, whatever servers and callers ask, with the same answer', async () => {
    const { email } = await newOrganizer(app);

    const replies = await times(6, (n) =>
      ask(n % 2 ? servers[0] : servers[1], accounts.forgotPassword, { email }, someone()),
    );

    for (const reply of replies) expect(reply).toMatchObject({ status: 200, body: { msg: resetLinkSent } });
    const links = (await emailsTo(app, email)).filter(({ subject }) => subject.includes('Reset'));
    expect(links).toHaveLength(3);
  });
});

describe('POST /api/public/register', () => {
  it('allows 300 sign-ups per hour and IP address, counted on all servers', async () => {
    const few = [await serverWith(0.01), await serverWith(0.01)];
    const from = someone();
    const signUp = (n: number) => {
      const form = {
        email: `crowd-${n}@example.com`,
        password: PASSWORD,
        confirmPassword: PASSWORD,
        acceptedTerms: true,
      };
      return ask(few[n % 2] ?? servers[0], accounts.register, form, from);
    };

    expect(statuses(await times(3, signUp))).toEqual([200]);
    expect(await signUp(3)).toMatchObject(tooMany);
    for (const server of few) await server.close();
  });
});

describe('POST /api/public/create-checkout-session', () => {
  it('reserves no more tickets for a caller who opens one checkout after another', async () => {
    const { eventId } = await eventOnSale(app);
    const few = await serverWith(0.01);
    const from = someone();
    const open = () => ask(few, createCheckoutSession, { eventId, cartItems: generalAdmission(1) }, from);

    expect(statuses(await times(3, open))).toEqual([200]);
    expect(await open()).toMatchObject(tooMany);
    expect((await app.db.selectFrom('orders').where('eventId', '=', eventId).select('id').execute()).length).toBe(3);
    await few.close();
  });
});

/** Each address of the web app, under attack. What needs a browser is in the journeys. */
import { once } from 'node:events';
import { request as ask } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import { adminOverview } from '#contract/app/admin.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { checkoutSession } from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { emailChangeUndone, emailVerified } from '#messages/accounts.ts';
import { errorText } from '#messages/errors.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import {
  accountInfo,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  linkTo,
  newOrganizer,
  openCheckout,
  PASSWORD,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages } from '#tests/support/test-app-with-pages.ts';

const EVIL = 'evil.example';
const UNKNOWN_ID = 'AAAAAAAAAAAAAAAA';
const SCRIPT = '<script>alert(1)</script>';

let app: TestApp;
let event: Awaited<ReturnType<typeof eventOnSale>>;

beforeAll(async () => {
  app = await startTestAppWithPages();
  event = await eventOnSale(app);
});
afterAll(() => app?.close());

/** Sends the path as written, because HTTP clients normalize it. */
async function page(path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(app.publicUrl);
  const sent = ask({ hostname, port, path, headers: { accept: 'text/html', ...headers }, agent: false }).end();
  const [reply] = await once(sent, 'response');
  return { status: reply.statusCode, headers: reply.headers, html: await text(reply) };
}

const RESET = /reset-password\/([\w-]+)/;
const VERIFY = /verify-email\?token=([\w-]+)/;
const CHANGE = /-email-change\?token=([\w-]+)/;

describe.each([
  '/',
  '/legal',
  '/FAQ',
  '/login',
  '/register',
  '/profile',
  '/door/x',
  '/events/new',
  '/events/x/page',
  '/events/x/tickets',
  '/scanner',
  '/success',
  '/dashboard',
])('%s', (path) => {
  it('returns the same page for every request: it echoes nothing and identifies no one', async () => {
    const plain = await page(path);
    const tricked = await page(`${path}?next=//${EVIL}&session_id=${encodeURIComponent(SCRIPT)}&event=${SCRIPT}`, {
      host: EVIL,
      'x-forwarded-host': EVIL,
      'x-forwarded-proto': 'https',
      'user-agent': SCRIPT,
      referer: `https://${EVIL}/${SCRIPT}`,
      cookie: `token=${SCRIPT}; theme=${SCRIPT}`,
    });
    expect(tricked).toMatchObject({ status: 200, html: plain.html });
    expect(tricked.headers).not.toHaveProperty('set-cookie');
    expect(tricked.headers).not.toHaveProperty('location');
  });
});

describe('/register', () => {
  const form = { password: PASSWORD, confirmPassword: PASSWORD, acceptedTerms: true as const };

  it('redirects only to paths of this site', async () => {
    const { url } = expectOk(await app.call(accounts.register, { ...form, email: 'new@example.com' }));
    expect(url).toMatch(/^\/[a-z]/);
  });

  it('answers a filled honeypot normally, without an account or email', async () => {
    const email = 'victim@example.com';
    const reply = await app.visitor().send(accounts.register, { ...form, email, honeypot: 'x' });
    expect(reply).toMatchObject({ status: 200, body: { url: expect.stringMatching(/^\/login/) } });
    expect(await emailsTo(app, email)).toEqual([]);
    expect(await app.db.selectFrom('users').where('email', '=', email).selectAll().execute()).toEqual([]);
  });
});

describe('/forgot-password', () => {
  it('emails a link to this site, whatever host the request names', async () => {
    const { email } = await newOrganizer(app);
    const headers = { host: EVIL, 'x-forwarded-host': EVIL, forwarded: `host=${EVIL}` };
    const call = { method: 'POST', url: accounts.forgotPassword.path, headers, payload: { email } } as const;
    expect((await app.server.inject(call)).statusCode).toBe(200);

    const message = (await emailsTo(app, email)).find(({ text }) => RESET.test(text));
    expect(message?.text).toContain(`${app.publicUrl}/reset-password/`);
    expect(`${message?.text}${message?.html}`).not.toContain(EVIL);
  });

  it('answers the same for an unknown address, and sends nothing there', async () => {
    const { email } = await newOrganizer(app);
    const known = await app.visitor().send(accounts.forgotPassword, { email });
    const unknown = await app.visitor().send(accounts.forgotPassword, { email: 'no@example.com' });
    expect(unknown).toMatchObject({ status: known.status, body: known.body });
    expect(await emailsTo(app, 'no@example.com')).toEqual([]);
  });
});

describe('/reset-password/{token}', () => {
  const passwords = { newPassword: 'another horse entirely', confirmNewPassword: 'another horse entirely' };
  const reset = async (token: string) =>
    (await app.visitor().send(accounts.resetPassword, { token, ...passwords })).status;

  async function emailedLink() {
    const { email } = await newOrganizer(app);
    await app.call(accounts.forgotPassword, { email });
    return linkTo(app, email, RESET);
  }

  it('loads nothing from other sites, which would learn the URL, and does not repeat the token', async () => {
    const { html } = await page('/reset-password/a-secret-token');
    expect(html).not.toMatch(/<(?!a )[^>]*(?:src|href)="(?!\/)/);
    expect(html).not.toContain('a-secret-token');
  });

  it('works once, even when used twice at the same time', async () => {
    const token = await emailedLink();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await Promise.all([reset(token), reset(token)])).sort()).toEqual([200, 400]);
    expect(await reset(token)).toBe(400);
  });

  it('expires after an hour, and is stored only as a hash', async () => {
    const token = await emailedLink();
    const links = JSON.stringify(await app.db.selectFrom('emailLinks').selectAll().execute());
    expect(links).not.toContain(token);
    await app.advance({ minutes: 61 });
    expect(await reset(token)).toBe(400);
  });

  it('opens no session', async () => {
    const token = await emailedLink();
    const visitor = app.visitor({ isBrowser: true });
    expect((await visitor.send(accounts.resetPassword, { token, ...passwords })).status).toBe(200);
    // The browser is known from then on, and not logged in.
    expect([...visitor.cookies.keys()]).toEqual(['browser']);
  });
});

describe('/verify-email', () => {
  const verify = (token: string) => app.visitor({ isBrowser: true }).send(accounts.verifyEmail, { token });

  it('can be opened by a mail scanner first, and opens no session', async () => {
    const { email } = await newOrganizer(app);
    const token = await linkTo(app, email, VERIFY);
    expect((await page(`/verify-email?token=${token}`)).status).toBe(200);
    for (let opened = 0; opened < 2; opened++) {
      const reply = await verify(token);
      expect(reply).toMatchObject({ status: 200, body: { msg: emailVerified } });
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
    await app.advance({ hours: 25 });
    expect((await verify(token)).status).toBe(400);
  });

  it('takes one token and rejects two', async () => {
    const { email } = await newOrganizer(app);
    const token = await linkTo(app, email, VERIFY);
    const reply = await app.visitor().request(`${accounts.verifyEmail.path}?token=${token}&token=${token}`);
    expect(reply.status).toBe(400);
  });

  it('verifies only the address it was sent to', async () => {
    const { email, visitor } = await newOrganizer(app);
    const old = await linkTo(app, email, VERIFY);
    const newEmail = `moved-${email}`;
    expectOk(await visitor.call(accounts.changeEmail, { newEmail }));
    expectOk(await app.call(accounts.confirmEmailChange, { token: await linkTo(app, newEmail, CHANGE) }));
    expect((await verify(old)).status).toBe(400);
  });
});

describe('/change-email', () => {
  it('changes nothing until the new address confirms, notifies the old one, and can be undone there for three days', async () => {
    const { email, visitor } = await verifiedOrganizer(app);
    const newEmail = `thief-of-${email}`;
    expectOk(await visitor.call(accounts.changeEmail, { newEmail }));
    expect(expectOk(await visitor.call(accounts.profile, {})).email).toBe(email);
    const undo = await linkTo(app, email, CHANGE);
    expectOk(await app.call(accounts.confirmEmailChange, { token: await linkTo(app, newEmail, CHANGE) }));

    await app.advance({ hours: 71 });
    const back = expectOk(await app.call(accounts.undoEmailChange, { token: undo }));
    expect(back.msg).toBe(emailChangeUndone);
    for (const address of [email, newEmail])
      expect((await app.visitor().send(accounts.login, { email: address, password: PASSWORD })).status).toBe(401);
    expect(await linkTo(app, email, RESET)).not.toBe('');
  });
});

describe('/payment/{eventId}', () => {
  it('shows nothing that only the organizer may see', async () => {
    event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(1), 'guest@example.com');
    const reply = JSON.stringify((await app.call(publicEvent, { eventId: event.eventId })).body);
    const { html } = await page(`/payment/${event.eventId}`);
    const { userId, organizationId } = await actorOf(app.db, event.email);

    const secrets = [
      event.email,
      userId,
      organizationId,
      event.attendantCode,
      'guest@example.com',
      accountInfo.phoneNumber,
    ];
    const names = /attendant(Id|Code)|guestList|affiliate|feeWaive|userId|participants|phoneNumber|TIN/i;
    for (const shown of [reply, html]) {
      for (const secret of secrets) expect(shown).not.toContain(String(secret));
      expect(/"([^"]+)":/g[Symbol.match](shown)?.filter((name) => names.test(name)) ?? []).toEqual([]);
    }
  });

  it('has ids that cannot be enumerated', async () => {
    const other = await eventOnSale(app);
    for (const { eventId } of [event, other]) expect(eventId).toMatch(/^[\w-]{16}$/);
    expect(other.eventId.slice(0, 4)).not.toBe(event.eventId.slice(0, 4));
  });

  it.each([UNKNOWN_ID, '..%2f..%2fetc%2fpasswd', '%00', encodeURIComponent(SCRIPT), "'%20or%201=1", 'x'.repeat(5000)])(
    'without an event (%s) says only that',
    async (id) => {
      const { status, html } = await page(`/payment/${id}`);
      expect(status).toBe(404);
      expect(html).toContain(errorText('event.not-found'));
      expect(html).not.toMatch(/<script>alert|root:/);
    },
  );
});

describe('/success', () => {
  it("shows tickets to the holder of a paid order's link, and nothing for an unpaid or invented one", async () => {
    const open = await openCheckout(app, event.eventId, generalAdmission(1));
    expect(await open.poll()).toEqual({
      status: 'unpaid',
      confirmationData: [],
      order: null,
      reservedUntil: expect.any(String),
    });
    for (const sessionId of ['cs_test_guess', SCRIPT, '../checkout', 'a'.repeat(200)]) {
      const reply = await app.visitor().send(checkoutSession, { sessionId });
      expect(reply).toMatchObject({ status: 404, body: { code: 'checkout.unknown' } });
    }
  });

  it('expires a month after the event, and changes nothing however often it is opened', async () => {
    const own = await eventOnSale(app);
    const order = await buyTickets(app, own.eventId, generalAdmission(2));
    for (let opened = 0; opened < 3; opened++) {
      const again = expectOk(await app.call(checkoutSession, { sessionId: order.sessionId }));
      expect(codesOf(again)).toEqual(codesOf(order));
    }
    await app.advance({ days: 32 });
    const late = await app.visitor().send(checkoutSession, { sessionId: order.sessionId });
    expect(late).toMatchObject({ status: 404, body: { code: 'checkout.unknown' } });
  });
});

describe('/scanner', () => {
  it('checks no one in without the attendant code, whatever state the page holds', async () => {
    const own = await eventOnSale(app);
    const [confirmationNumber = ''] = codesOf(await buyTickets(app, own.eventId, generalAdmission(1)));
    const reply = await app.visitor().send(checkGuest, { eventId: own.eventId, confirmationNumber });
    expect(reply).toMatchObject({ status: 401, body: { code: 'attendant-code.missing' } });
  });
});

describe('/refund/{eventId}', () => {
  it("answers for another event's ticket as for an unknown one", async () => {
    const [one, other] = [await eventOnSale(app), await eventOnSale(app)];
    const [theirs = ''] = codesOf(await buyTickets(app, other.eventId, generalAdmission(1)));
    for (const confirmationCode of [theirs, '1234567890']) {
      const reply = await app.visitor().send(requestRefund, { eventId: one.eventId, confirmationCode });
      expect(reply).toMatchObject({ status: 404, body: { code: 'refund.unknown-ticket' } });
    }
  });
});

describe('/dashboard', () => {
  it('contains no totals, and loads none for a user who is not an admin in the database', async () => {
    const { visitor } = await newOrganizer(app, { isBrowser: true });
    const reply = await visitor.send(adminOverview, {});
    expect(reply.status).toBe(404);
    expect(Object.keys(reply.body)).toEqual(['code', 'params', 'msg']);
  });
});

describe('any other path', () => {
  it.each([
    `//${EVIL}`,
    `//${EVIL}/%2e%2e`,
    `/\\${EVIL}`,
    `/%5c${EVIL}`,
    `/%2f%2f${EVIL}`,
    `/login//${EVIL}`,
    `/https://${EVIL}`,
    '/javascript:alert(1)',
    `/${encodeURIComponent(SCRIPT)}`,
    `/${SCRIPT}`,
    '/.git/config',
    '/.env',
    '/package.json',
    '/src/server/main.ts',
    '/static/../../../package.json',
    '/static/..%2f..%2f..%2fpackage.json',
    '/static/%2e%2e/%2e%2e/index.html',
    '/photos/..%2f..%2f..%2fetc%2fpasswd',
    '/photos/%2e%2e%2fapp-secret',
    '/og/..%2f..%2fetc%2fpasswd.png',
    '/sandbox/../api/protected/profile',
  ])('%s leads nowhere, and is not echoed', async (path) => {
    const { status, headers, html } = await page(path);
    expect([400, 404]).toContain(status);
    expect(headers).not.toHaveProperty('location');
    expect(html).not.toMatch(new RegExp(`${EVIL}|alert|root:|"dependencies"|passwd`, 'i'));
  });

  it('is the same page, whatever the path', async () => {
    const { html } = await page('/nowhere');
    for (const path of [`//${EVIL}`, `/\\${EVIL}`, '/javascript:alert(1)']) expect((await page(path)).html).toBe(html);
  });
});

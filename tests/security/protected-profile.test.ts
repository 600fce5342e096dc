/** The profile, logging out, and another verification link. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/accounts.ts';
import { loggedOut } from '#messages/accounts.ts';
import { emailsTo, newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { soldOrder } from '#tests/support/sold-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('GET /api/protected/profile', () => {
  it('shows nothing of other organizers, their events or their guests', async () => {
    const [mine, theirs] = [await newOrganizer(app), await newOrganizer(app)];
    const own = await soldOrder(app.db, { organizerEmail: mine.email, buyerEmail: 'mine@example.com' });
    await soldOrder(app.db, { organizerEmail: theirs.email, buyerEmail: 'theirs@example.com' });

    const reply = await mine.visitor.send(contract.profile, { userId: 'x', email: theirs.email });

    expect(reply.body.events.map((event) => event.eventId)).toEqual([own.eventId]);
    expect(JSON.stringify(reply.body)).not.toContain('theirs@example.com');
    expect(reply.body.email).toBe(mine.email);
  });

  it('contains no hash, role or secret of the account', async () => {
    const { visitor } = await newOrganizer(app);

    const { body } = await visitor.call(contract.profile, {});

    expect(Object.keys(body).join(' ')).not.toMatch(/password|hash|sealed|admin|waiver|session|secret/i);
  });

  it('sends the first hundred guests of a long list, not all', async () => {
    const { visitor, email } = await newOrganizer(app);
    const ticketNames = Array.from({ length: 120 }, () => 'General admission');
    await soldOrder(app.db, { organizerEmail: email, ticketNames });

    const [event] = (await visitor.call(contract.profile, {})).body.events;

    expect(event?.guestList).toHaveLength(100);
    expect(event?.guestListNext).not.toBeNull();
  });

  it('is not cached, so that the next user of the browser finds nothing', async () => {
    const { visitor } = await newOrganizer(app);

    expect((await visitor.call(contract.profile, {})).headers.get('cache-control')).toBe('no-store');
  });
});

describe('POST /api/protected/logout', () => {
  it('ends the session on the server, not only in the browser', async () => {
    const { visitor } = await newOrganizer(app);
    const kept = new Map(visitor.cookies);

    await visitor.call(contract.logout, {});
    const thief = app.visitor();
    for (const [name, value] of kept) thief.cookies.set(name, value);

    expect((await thief.call(contract.profile, {})).status).toBe(401);
  });

  it('can be repeated, and called without a session', async () => {
    const { visitor } = await newOrganizer(app);

    for (const who of [visitor, visitor, app.visitor()]) {
      const { status, body } = await who.call(contract.logout, {});
      expect({ status, body }).toEqual({ status: 200, body: { msg: loggedOut } });
    }
  });

  it('is not a link: a GET logs no one out', async () => {
    const { visitor } = await newOrganizer(app);

    expect((await visitor.fetch(contract.logout.path)).status).toBe(404);
    expect((await visitor.call(contract.profile, {})).status).toBe(200);
  });

  it('rejects another site', async () => {
    const { visitor } = await newOrganizer(app, { isBrowser: true });
    const headers = { 'content-type': 'application/json', origin: 'https://evil.example' };

    const reply = await visitor.request(contract.logout.path, { method: 'POST', headers, body: '{}' });

    expect(reply.status).toBe(403);
    expect((await visitor.call(contract.profile, {})).status).toBe(200);
  });

  it('ends no session for a token taken from a browser', async () => {
    const { visitor } = await newOrganizer(app, { isBrowser: true });
    const thief = app.visitor();
    thief.cookies.set('token', visitor.cookies.get('token') ?? '');

    await thief.call(contract.logout, {});

    expect((await visitor.call(contract.profile, {})).status).toBe(200);
  });

  it('leaves other sessions of the account open', async () => {
    const { visitor, email } = await newOrganizer(app);
    const phone = app.visitor();
    await phone.call(contract.login, { email, password: PASSWORD });

    await visitor.call(contract.logout, {});

    expect((await phone.call(contract.profile, {})).status).toBe(200);
  });
});

describe('POST /api/protected/resend-verification', () => {
  it("emails the account's own address, whatever address the body contains", async () => {
    const { visitor, email } = await newOrganizer(app);
    const before = (await emailsTo(app, email)).length;

    await visitor.send(contract.resendVerification, { email: 'victim@example.org', to: 'victim@example.org' });

    expect(await emailsTo(app, email)).toHaveLength(before + 1);
    expect(await emailsTo(app, 'victim@example.org')).toEqual([]);
  });
});

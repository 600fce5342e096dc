/** What someone got wrong, may not do, or tried too often, is in the log. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import { adminAlerts } from '#contract/app/alerts.ts';
import { enterAttendantCode } from '#contract/app/check-in.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { loginFactor } from '#contract/app/factors.ts';
import { newId } from '#server/platform/ids.ts';
import { eventOnSale, newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const lines: Record<string, unknown>[] = [];

let app: TestApp;
let organizer: Awaited<ReturnType<typeof newOrganizer>>;
let event: Awaited<ReturnType<typeof eventOnSale>>;
beforeAll(async () => {
  app = await startTestApp({ logTo: { write: (line) => void lines.push(JSON.parse(line)) }, runsJobs: false });
  organizer = await newOrganizer(app);
  event = await eventOnSale(app);
});
beforeEach(() => void lines.splice(0));
afterAll(() => app.close());

const denials = () => lines.filter(({ msg }) => msg === 'denied');
const userIdOf = async (email: string) =>
  (await app.db.selectFrom('users').where('email', '=', email).select('id').executeTakeFirstOrThrow()).id;

describe('a denial', () => {
  it.each<[code: string, route: string, cause: () => Promise<unknown>]>([
    [
      'login.wrong',
      'POST /api/protected/login',
      () => app.visitor().send(accounts.login, { email: organizer.email, password: 'wrong' }),
    ],
    [
      'auth.challenge-expired',
      'POST /api/public/login-factor',
      () => app.visitor().send(loginFactor, { challengeId: newId(), code: '123456' }),
    ],
    [
      'attendant-code.wrong',
      'POST /api/public/attendantCode',
      () =>
        app.visitor().send(enterAttendantCode, { eventId: event.eventId, formData: { attendantCode: 'ZZZZZZZZZZ' } }),
    ],
    ['session.missing', 'GET /api/protected/profile', () => app.visitor().send(accounts.profile, {})],
    [
      'request.cross-site',
      'POST /api/protected/login',
      () => app.visitor().send(accounts.login, { email: 'a', password: 'b' }, { origin: 'https://evil.example' }),
    ],
    [
      'form.invalid',
      'POST /api/protected/login',
      () => app.visitor().send(accounts.login, { email: { $ne: '' }, password: 'b' }),
    ],
    [
      'webhook.bad-signature',
      'POST /api/webhooks/stripe',
      () => fetch(`${app.publicUrl}/api/webhooks/stripe`, { method: 'POST', body: '{}' }),
    ],
  ])('is logged with its code and route: %s of %s', async (code, route, cause) => {
    await cause();

    expect(denials()).toEqual([expect.objectContaining({ level: 40, code, route, reqId: expect.any(String) })]);
  });

  it('names the account that was denied, also where the answer hides that there is something', async () => {
    await organizer.visitor.send(adminAlerts, {});
    await organizer.visitor.send(cancelEvent, { eventId: event.eventId });
    await organizer.visitor.send(accounts.reauthenticate, { password: `not ${PASSWORD}` });

    const subject = await userIdOf(organizer.email);
    expect(denials()).toMatchObject([
      { code: 'page.not-found', route: 'GET /api/protected/admin/alerts', subject },
      { code: 'event.not-found', route: 'POST /api/protected/cancel-event', subject },
      { code: 'password.wrong', route: 'POST /api/protected/reauthenticate', subject },
    ]);
  });

  it('is not logged where it is ordinary: a dead link, or tickets that are gone', async () => {
    await app.visitor().fetch('/api/public/event/AAAAAAAAAAAAAAAA');
    await app.visitor().send(createCheckoutSession, { eventId: event.eventId, cartItems: [] });

    expect(denials()).toEqual([]);
  });
});

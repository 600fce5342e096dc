/** The payout account, its links, and the payout itself. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveAccountInfo } from '#contract/app/accounts.ts';
import { cancelEvent, editEvent } from '#contract/app/events.ts';
import * as contract from '#contract/app/payouts.ts';
import type { payoutErrors } from '#messages/payouts.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { ledgerOf, movementsAtStripe, openPayout } from '#tests/support/money.ts';
import {
  accountInfo,
  buyTickets,
  connectPayouts,
  eventForm,
  eventOnSale,
  logInAgain,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';

const NO_EVENT = 'AAAAAAAAAAAAAAAA';
const recordFile = join(makeDataDirectory(), 'exchanges.jsonl');
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ recordFile });
});
afterAll(() => app.close());

const accountOf = (email: string) =>
  app.db
    .selectFrom('payoutAccounts as p')
    .innerJoin('memberships as m', 'm.organizationId', 'p.organizationId')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .where('u.email', '=', email)
    .select(['p.accountId', 'p.email'])
    .executeTakeFirst();

async function connectedOrganizer() {
  const organizer = await verifiedOrganizer(app);
  await organizer.visitor.call(saveAccountInfo, accountInfo);
  await connectPayouts(organizer.visitor);
  return organizer;
}

describe('POST /api/protected/create-account-link', () => {
  it("opens the session's account, at our own URL, whatever the body and Host header say", async () => {
    const victim = await connectedOrganizer();
    const { accountId } = (await accountOf(victim.email)) ?? {};
    const { visitor, email } = await verifiedOrganizer(app);
    await visitor.call(saveAccountInfo, accountInfo);

    const evil = 'https://evil.example/';
    const reply = await app.server.inject({
      method: 'POST',
      url: contract.createAccountLink.path,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      cookies: Object.fromEntries(visitor.cookies),
      payload: { accountId, account: accountId, email: victim.email, return_url: evil, refresh_url: evil },
    });

    expect(reply.statusCode).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    const opened = await accountOf(email);
    expect(opened?.email).toBe(email);
    expect(opened?.accountId).not.toBe(accountId);
    const recording = await readFile(recordFile, 'utf8');
    expect(recording).toContain(opened?.accountId ?? 'no account');
    expect(recording).not.toContain('evil.example');
  });

  it('does not open through a page load that another site can cause', async () => {
    const { visitor, email } = await verifiedOrganizer(app);
    await visitor.call(saveAccountInfo, accountInfo);

    const reply = await visitor.fetch(contract.onboardingRefreshPath);

    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/profile']);
    expect(await accountOf(email)).toBeUndefined();
  });
});

describe('POST /api/protected/create-login-link', () => {
  it('opens the own account only', async () => {
    const victim = await connectedOrganizer();
    const { accountId } = (await accountOf(victim.email)) ?? {};
    const { visitor } = await verifiedOrganizer(app);

    const reply = await visitor.send(contract.createLoginLink, { accountId, account: accountId, userId: accountId });

    expect(reply).toMatchObject({ status: 409, body: { code: 'payout-account.no-payout-account' } });
  });

  it('is not cached', async () => {
    const { visitor } = await connectedOrganizer();

    const reply = await visitor.call(contract.createLoginLink, {});

    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });
});

const priced = (ticketPrice: number) => ({
  tickets: [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice, ticketQuantity: 100 }],
});
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];
const refused = (code: keyof typeof payoutErrors) => ({
  status: 409,
  body: errorBody(code),
});

describe('POST /api/protected/requestPayout', () => {
  it("pays once, the amount in the ledger, to the owner's account, whatever the body asks for", async () => {
    const event = await eventOnSale(app, priced(40));
    await buyTickets(app, event.eventId, seats(2));
    const stranger = await connectedOrganizer();
    await openPayout(app, event);
    await logInAgain(stranger);
    const { accountId: theirs } = (await accountOf(stranger.email)) ?? {};
    const { accountId: own } = (await accountOf(event.email)) ?? {};

    const { eventId } = event;
    const wishes = { eventId, totalPayout: 9999, amount: 999_900, accountId: theirs, destination: theirs };
    const replies = await Promise.all([1, 2, 3].map(() => event.visitor.send(contract.requestPayout, wishes)));
    await app.settle();

    // 80.00 less 2 x (0.80 + 0.75) and 15.00.
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(replies.find(({ status }) => status === 200)?.body).toEqual({ totalPayout: 61.9 });
    expect(await movementsAtStripe(app, 'transfer', eventId)).toMatchObject([{ amount: 61_90, destination: own }]);
    expect((await ledgerOf(app, eventId, 'payout')).join(' ')).toContain('6190');

    // The event is frozen once it is paid out.
    expect(await event.visitor.call(contract.requestPayout, { eventId })).toMatchObject(
      refused('payout.already-paid-out'),
    );
    expect(await event.visitor.call(cancelEvent, { eventId })).toMatchObject({
      status: 409,
      body: { code: 'cancel.event-paid-out' },
    });
    expect(await event.visitor.call(editEvent, { ...eventForm(app), eventId })).toMatchObject({
      status: 409,
      body: { code: 'edit.event-paid-out' },
    });
  });

  it("answers for another organizer's event as for an unknown one, even with a payout due", async () => {
    const event = await eventOnSale(app, priced(40));
    await buyTickets(app, event.eventId, seats(1));
    const stranger = await connectedOrganizer();
    await openPayout(app, event);
    await logInAgain(stranger);

    const replies = [];
    for (const eventId of [event.eventId, NO_EVENT]) {
      const { status, body } = await stranger.visitor.call(contract.requestPayout, { eventId });
      replies.push({ status, body });
    }

    expect(replies).toEqual(Array(2).fill({ status: 404, body: expect.objectContaining({ code: 'event.not-found' }) }));
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toEqual([]);
  });

  it('does not become due by moving the end into the past', async () => {
    const event = await eventOnSale(app, priced(40));
    await buyTickets(app, event.eventId, seats(1));
    const past = { startDate_startTime: '2020-01-01T20:00', endDate_endTime: '2020-01-01T23:00' };

    const moved = await event.visitor.call(editEvent, { ...eventForm(app), ...priced(40), ...past, ...event });

    expect(moved).toMatchObject({ status: 409, body: { code: 'edit.end-in-past' } });
    expect(await event.visitor.call(contract.requestPayout, event)).toMatchObject(refused('payout.too-early'));
  });

  it('never takes money from the organizer when fees exceed sales', async () => {
    const event = await eventOnSale(app, priced(5));
    await buyTickets(app, event.eventId, seats(1));
    await openPayout(app, event);

    expect(await event.visitor.call(contract.requestPayout, event)).toMatchObject(refused('payout.fees-exceed-sales'));
    expect(await movementsAtStripe(app, 'transfer', event.eventId)).toEqual([]);
  });

  it('pays nothing for an event without sales or a cancelled one', async () => {
    const [empty, off] = [await eventOnSale(app, priced(40)), await eventOnSale(app, priced(40))];
    await buyTickets(app, off.eventId, seats(1));
    await off.visitor.call(cancelEvent, { eventId: off.eventId });
    await openPayout(app, empty);
    await logInAgain(off);

    expect(await empty.visitor.call(contract.requestPayout, empty)).toMatchObject(refused('payout.nothing-sold'));
    expect(await off.visitor.call(contract.requestPayout, off)).toMatchObject(refused('payout.event-cancelled'));
  });
});

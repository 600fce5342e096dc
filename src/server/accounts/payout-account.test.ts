import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { forgotPassword, profile } from '#contract/app/accounts.ts';
import { holdPayout, releasePayout, resumeOrganization, suspendOrganization } from '#contract/app/brakes.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { createEvent, publicEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { accountChangeEmails } from '#messages/operations/payout-account.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { decideDispute, disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { openPayout, setTransfers } from '#tests/support/money.ts';
import { accountBecomes } from '#tests/support/payout-account.ts';
import {
  buyTickets,
  emailsTo,
  eventForm,
  eventOnSale,
  expectOk,
  logInAgain,
  newOrganizer,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { stopRestrictedSales } from './payout-account.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const DAY = 24 * 60 * 60 * 1000;
const paused = { status: 409, body: { code: 'checkout.sales-paused' } };

/** An event in ten days, with a paid and a free type of ticket. */
async function newSeller() {
  const startsAt = app.now().getTime() + 10 * DAY;
  const [paid, free] = [25, 0].map((ticketPrice) => ({
    ticketName: ticketPrice > 0 ? 'Seat' : 'Friend',
    ticketDescription: 'x',
    ticketPrice,
    ticketQuantity: 50,
  }));
  const event = await eventOnSale(app, {
    startDate_startTime: localTimeOf(new Date(startsAt), 'America/New_York'),
    endDate_endTime: localTimeOf(new Date(startsAt + DAY / 12), 'America/New_York'),
    tickets: [paid, free].flatMap((ticket) => ticket ?? []),
  });
  const { organizationId } = await actorOf(app.db, event.email);
  const buy = (ticketName: string) =>
    app.call(createCheckoutSession, { eventId: event.eventId, cartItems: [{ ticketName, quantity: 1 }] });
  return {
    ...event,
    organizationId,
    buyPaid: () => buy('Seat'),
    buyFree: () => buy('Friend'),
    becomes: (status: 'active' | 'restricted' | 'closed') => accountBecomes(app, organizationId, status),
    async emails() {
      const subjects = (await emailsTo(app, event.email)).map(({ subject }) => subject);
      return Object.entries(accountChangeEmails)
        .filter(([, { subject }]) => subjects.includes(subject))
        .map(([change]) => change);
    },
    async trouble() {
      await logInAgain(event);
      return expectOk(await event.visitor.call(profile, {})).accountTrouble?.kind ?? null;
    },
  };
}

async function stopDue() {
  await stopRestrictedSales(app.deps);
  await app.settle();
}

describe('a closed payout account', () => {
  it('stops paid sales at once, and free ones not [BRAKE-5]', async () => {
    const { eventId, buyPaid, buyFree, becomes, emails, trouble } = await newSeller();
    expectOk(await buyPaid());

    await becomes('closed');

    expect(await buyPaid()).toMatchObject(paused);
    expectOk(await buyFree());
    await app.deps.changes.catchUp();
    expect((await app.call(publicEvent, { eventId })).body).toMatchObject({ pausedSales: 'paid' });
    expect(await emails()).toEqual(['closed']);
    expect(await trouble()).toBe('closed');
  });
});

describe('a restricted payout account', () => {
  it('stops paid sales after 72 hours, until it is restored [BRAKE-5]', async () => {
    const { buyPaid, buyFree, becomes, emails, trouble, organizationId } = await newSeller();
    await becomes('restricted');
    expect(await emails()).toEqual(['restricted']);
    expect(await trouble()).toBe('restricted');

    await app.advance({ hours: 71, minutes: 59 });
    await stopDue();
    expectOk(await buyPaid());
    await app.advance({ minutes: 1 });
    await stopDue();

    expect(await buyPaid()).toMatchObject(paused);
    expectOk(await buyFree());
    expect(await trouble()).toBe('stopped');
    expect(await emails()).toEqual(['restricted', 'stopped']);
    await stopDue();
    await becomes('active');
    expectOk(await buyPaid());
    expect(await trouble()).toBeNull();
    expect(await emails()).toEqual(['restricted', 'stopped', 'restored']);
    const audited = await app.db
      .selectFrom('auditEvents')
      .where('organizationId', '=', organizationId)
      .where('actorKind', '=', 'job')
      .orderBy('at')
      .select('action')
      .execute();
    expect(audited.map(({ action }) => action)).toEqual([
      'restrict-payout-account',
      'stop-paid-sales',
      'restore-payout-account',
    ]);
  });

  it('stops nothing if Stripe lifted the restriction and its webhook was lost [BRAKE-5]', async () => {
    const seller = await newSeller();
    await seller.becomes('restricted');
    await setTransfers(app, seller, 'active');

    await app.advance({ hours: 72 });
    await stopDue();

    expectOk(await seller.buyPaid());
    expect(await seller.trouble()).toBeNull();
  });
});

it('an event that is created while paid sales stop sells no paid ticket [BRAKE-5]', async () => {
  const { visitor, organizationId } = await newSeller();

  const { pending } = await app.db.transaction().execute(async (tx) => {
    await sql`select from organizations where id = ${organizationId} for no key update`.execute(tx);
    const pending = visitor.call(createEvent, eventForm(app, { title: 'Second' }));
    await app.untilBlocked();
    await sql`update payout_accounts set is_active = false, restricted_at = now(), sales_stopped_at = now()
      where organization_id = ${organizationId}`.execute(tx);
    return { pending };
  });

  const { eventId } = expectOk(await pending);
  expect((await app.call(publicEvent, { eventId })).body).toMatchObject({ pausedSales: 'paid' });
});

describe('an address that was never proved', () => {
  /** What arrived, by kind. */
  async function arrived(email: string): Promise<string[]> {
    await app.settle();
    const { rows } = await sql<{ kind: string }>`
      select m.kind from inbox_messages i join email_outbox m on i.message_id like m.id || '@%'
       where i.to_address = ${email} order by i.received_at`.execute(app.db);
    return rows.map(({ kind }) => kind);
  }

  const setProved = (email: string, emailVerifiedAt: Date | null) =>
    app.db.updateTable('users').set({ emailVerifiedAt }).where('email', '=', email).execute();

  it('gets no news of its payout account and its payouts, only a link to prove itself [EMAIL-4]', async () => {
    await fillBalance(app);
    const seller = await newSeller();
    const { email, eventId, organizationId, becomes } = seller;
    const operator = await newOrganizer(app);
    await appointAdmin(app.deps, { email: operator.email, isAdmin: true });
    for (const _ of [1, 2]) await buyTickets(app, eventId, [{ ticketName: 'Seat', quantity: 2 }]);
    const before = await arrived(email);
    // As imported: an account that the product sets up proved its address before.
    await setProved(email, null);

    await becomes('restricted');
    await app.advance({ hours: 72 });
    await stopDue();
    await becomes('active');
    await logInAgain(operator);
    const note = 'looked at it';
    for (const brake of [holdPayout, releasePayout]) expectOk(await operator.visitor.call(brake, { eventId, note }));
    for (const brake of [suspendOrganization, resumeOrganization])
      expectOk(await operator.visitor.call(brake, { organizationId, note }));
    await decideDispute(app, await disputePayment(app, eventId), 'lost');
    await openPayout(app, seller);
    // An owner who is not proved can't request a payout, so its email waits.
    await app.endJobs();
    await setProved(email, app.now());
    expectOk(await seller.visitor.call(requestPayout, { eventId }));
    await setProved(email, null);
    await app.restartJobs();
    expect(await arrived(email)).toEqual(before);
    expectOk(await app.call(forgotPassword, { email }));
    expect(await arrived(email)).toEqual([...before, 'reset-password']);

    await setProved(email, app.now());
    await logInAgain(operator);
    expectOk(await operator.visitor.call(suspendOrganization, { organizationId, note }));
    expect(await arrived(email)).toEqual([...before, 'reset-password', 'suspended']);
    const kinds = app.db.selectFrom('emailOutbox').where('toAddress', '=', email).select('kind').distinct();
    expect((await kinds.execute()).map(({ kind }) => kind)).toEqual(expect.arrayContaining(NEWS));
  });
});

const NEWS = [
  'payout-account-restricted',
  'payout-on-hold',
  'suspended',
  'resumed',
  'dispute-opened',
  'dispute-ended',
  'payout-sent',
];

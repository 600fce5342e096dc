import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { login, profile, register, saveAccountInfo } from '#contract/app/accounts.ts';
import { cancelEvent, createEvent, publicEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { deleteAccount, myRecordsFile } from '#contract/app/privacy.ts';
import { replayErasures } from '#server/backoffice/privacy/replay-erasures.ts';
import { backUpAccount } from '#tests/support/account-backup.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { openPayout, paymentOf, simulateAtBank } from '#tests/support/money.ts';
import {
  accountInfo,
  attendantOf,
  buyTickets,
  emailsTo,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  newOrganizer,
  onboardedOrganizer,
  PASSWORD,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { wholeDatabase } from '#tests/support/whole-database.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const remove = ({ visitor }: Pick<Event, 'visitor'>, password = PASSWORD) => visitor.call(deleteAccount, { password });
const records = async ({ visitor }: Pick<Event, 'visitor'>) => {
  const reply = await visitor.fetch(myRecordsFile.path);
  return { reply, text: await reply.text() };
};

const scanOffline = (eventId: string) =>
  sql`insert into offline_scans (event_id, id, device_id, scanned_at, received_at, result)
      select event_id, gen_random_uuid(), id, business_now(), business_now(), 'unknown'
        from check_in_devices where event_id = ${eventId}`.execute(app.db);

async function paidOut() {
  const event = await eventOnSale(app);
  await buyTickets(app, event.eventId, generalAdmission(2), `${event.eventId}@buyers.example`);
  await openPayout(app, event);
  expectOk(await event.visitor.call(requestPayout, { eventId: event.eventId }));
  await app.settle();
  return event;
}

describe('GET /api/protected/my-records', () => {
  it("gives organizers all their data, with the last four digits of the tax id, and no one else's", async () => {
    const event = await paidOut();
    const stranger = await eventOnSale(app);
    await buyTickets(app, stranger.eventId, generalAdmission(1), 'stranger@example.com');

    const { reply, text } = await records(event);
    const file = JSON.parse(text);

    expect(reply.headers.get('content-disposition')).toContain('my-records.json');
    expect(file.profile).toMatchObject({ email: event.email, firstName: 'Ada', taxIdLast4: '6789' });
    for (const list of ['sessions', 'emails', 'events', 'ticketTypes', 'orders', 'tickets', 'payouts', 'ledger'])
      expect({ list, rows: file[list] }).not.toEqual({ list, rows: [] });
    expect(file.orders).toMatchObject([{ eventId: event.eventId, buyerEmail: `${event.eventId}@buyers.example` }]);
    expect(file.tickets).toHaveLength(2);
    expect(file.audit).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ action: 'create-event', eventId: event.eventId }),
        expect.objectContaining({ action: 'request-payout', eventId: event.eventId }),
        expect.objectContaining({ action: 'export-records' }),
      ]),
    );
    for (const secret of [
      '123456789',
      '12-3456789',
      stranger.eventId,
      'stranger@example.com',
      stranger.email,
      'argon2',
    ])
      expect(text).not.toContain(secret);
    expect((await app.visitor().fetch(myRecordsFile.path)).status).toBe(401);
  });

  it('includes check-in devices, and their offline decisions', async () => {
    const event = await eventOnSale(app);
    await attendantOf(app, event.eventId, event.attendantCode, 'Gate 2');
    await scanOffline(event.eventId);

    const file = JSON.parse((await records(event)).text);

    expect(file.checkInDevices).toMatchObject([{ eventId: event.eventId, name: 'Gate 2', removedAt: null }]);
    expect(file.offlineScans).toMatchObject([{ eventId: event.eventId, device: 'Gate 2', result: 'unknown' }]);
  });

  it('reads long lists in pages', async () => {
    const event = await eventOnSale(app);
    const { sessionId } = await buyTickets(app, event.eventId, generalAdmission(1));
    await sql`insert into tickets (event_id, id, order_id, order_line_id, ticket_type_id, confirmation_number, ticket_name, price_cents, buyer_email, issued_at)
              select event_id, gen_random_uuid(), order_id, order_line_id, ticket_type_id, (2000000000 + n)::text, ticket_name, price_cents, buyer_email, issued_at
                from tickets cross join generate_series(1, 1200) n
               where order_id = (select id from orders where session_id = ${sessionId})`.execute(app.db);

    const file = JSON.parse((await records(event)).text);

    expect(new Set(file.tickets.map((ticket: unknown) => JSON.stringify(ticket))).size).toBe(1);
    expect(file.tickets).toHaveLength(1201);
    await sql`delete from tickets where confirmation_number between '2000000001' and '2000001200'`.execute(app.db);
  });
});

describe('POST /api/protected/delete-account', () => {
  it('rejects a wrong password and a missing session', async () => {
    const organizer = await newOrganizer(app);

    expect(await remove(organizer, 'wrong horse battery')).toMatchObject({
      status: 400,
      body: { code: 'password.wrong' },
    });
    expect((await app.call(deleteAccount, { password: PASSWORD })).status).toBe(401);
    expect((await organizer.visitor.call(profile, {})).status).toBe(200);
  });

  it('removes all personal data, and leaves the ledger unchanged', async () => {
    const event = await paidOut();
    const { eventId, email } = event;
    const pixel = sql`insert into event_photos (event_id, id, position, file_name, created_at)
                      values (${eventId}, gen_random_uuid(), 1, 'x.webp', business_now())`;
    await pixel.execute(app.db);
    await attendantOf(app, eventId, event.attendantCode, 'Phone of Xaver');
    await scanOffline(eventId);
    await emailsTo(app, email);
    const ledger = () =>
      sql`select (select array_agg(l order by transaction_id, account) from ledger_entries l where event_id = ${eventId}) as ledger,
                 (select array_agg(p) from payouts p where event_id = ${eventId}) as payouts,
                 (select array_agg((t.id, t.price_cents, t.state)) from tickets t where event_id = ${eventId}) as tickets`.execute(
        app.db,
      );
    const before = (await ledger()).rows;
    const cookies = new Map(event.visitor.cookies);
    const userId = expectOk(await event.visitor.call(profile, {}))._id;

    expectOk(await remove(event));

    expect((await ledger()).rows).toEqual(before);
    const database = await wholeDatabase(app.db);
    expect(database).not.toContain(email);
    expect(database).not.toContain('Phone of Xaver');
    const { rows } = await sql`select * from users where id = ${userId}`.execute(app.db);
    expect(rows).toMatchObject([
      {
        firstName: null,
        lastName: null,
        dateOfBirth: null,
        phoneNumber: null,
        passwordHash: '',
        emailVerifiedAt: null,
        isAdmin: false,
        email: expect.stringMatching(/^erased [0-9a-f]{32} [0-9a-f-]{36}$/),
      },
    ]);
    const organizations = sql`select * from organizations where id in (
      select organization_id from memberships where user_id = ${userId})`;
    expect((await organizations.execute(app.db)).rows).toMatchObject([
      { name: null, bio: null, type: null, taxIdSealed: null, taxIdLast4: null, erasedAt: expect.any(Date) },
    ]);
    for (const table of ['sessions', 'email_links'])
      expect((await sql`select from ${sql.table(table)} where user_id = ${userId}`.execute(app.db)).rows).toEqual([]);
    expect((await sql`select from event_photos where event_id = ${eventId}`.execute(app.db)).rows).toEqual([]);

    for (const [name, value] of cookies) event.visitor.cookies.set(name, value);
    expect((await event.visitor.call(profile, {})).status).toBe(401);
  });

  it('prevents log-in with the deleted address or its replacement', async () => {
    const { visitor, email } = await newOrganizer(app);
    expectOk(await remove({ visitor }));
    const { rows } = await sql<{ email: string }>`select email from users where erased_at is not null`.execute(app.db);

    for (const name of [email, ...rows.map((row) => row.email)])
      for (const password of [PASSWORD, ' ', 'x'])
        expect((await app.call(login, { email: name, password })).status).toBe(401);
  });

  it('frees the address for a new registration', async () => {
    const { visitor, email } = await newOrganizer(app);
    expectOk(await remove({ visitor }));

    const again = { email, password: PASSWORD, confirmPassword: PASSWORD, acceptedTerms: true } as const;
    expectOk(await app.call(register, again));
    expectOk(await app.visitor().call(login, { email, password: PASSWORD }));
  });

  it('keeps the page of a past event, without the organizer', async () => {
    const event = await paidOut();
    expectOk(await remove(event));

    const page = await app.call(publicEvent, { eventId: event.eventId });

    expect(page.status).toBe(200);
    expect(JSON.stringify(page.body)).not.toContain(accountInfo.organizationName);
  });

  it('is denied while an event is on sale or its tickets can be refunded', async () => {
    const event = await eventOnSale(app);
    const denied = { status: 409, body: errorBody('deletion.event-open') };

    expect(await remove(event)).toMatchObject(denied);
    const second = await onboardedOrganizer(app);
    expectOk(await second.visitor.call(createEvent, eventForm(app)));
    expectOk(await second.visitor.call(profile, {}));
  });

  it('is denied while a payout is due', async () => {
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(5));
    await openPayout(app, event);

    expect(await remove(event)).toMatchObject({ status: 409, body: { code: 'deletion.not-paid-out' } });
  });

  it('does not wait for a payout that fees consume entirely', async () => {
    const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 1, ticketQuantity: 10 }];
    const event = await eventOnSale(app, { tickets });
    await buyTickets(app, event.eventId, [{ ticketName: 'Seat', quantity: 1 }]);
    await openPayout(app, event);

    expectOk(await remove(event));
  });

  it("is denied while a cancelled event's refund is pending, and not afterwards", async () => {
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(2));
    // Otherwise pending work on the purchase waits for its order with the event locked, and cancelling waits for the
    // event.
    await app.settle();
    await app.db.transaction().execute(async (tx) => {
      await sql`select from orders where event_id = ${event.eventId} for update`.execute(tx);
      expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
      expect(await remove(event)).toMatchObject({ status: 409, body: { code: 'deletion.refund-under-way' } });
    });
    await app.settle();

    expectOk(await remove(event));
  });

  it("keeps the tickets that the organizer bought for another organizer's cancelled event", async () => {
    const { visitor, email } = await newOrganizer(app);
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(1), email);
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    await app.settle();

    expectOk(await remove({ visitor }));

    const { rows } = await sql`select buyer_email from tickets where event_id = ${event.eventId}`.execute(app.db);
    expect(rows).toEqual([{ buyerEmail: email }]);
  });

  it('is denied while a dispute is open', async () => {
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(3));
    await buyTickets(app, event.eventId, generalAdmission(3), 'honest@example.com');
    await app.settle();
    await simulateAtBank(app, 'disputes', { payment_intent: await paymentOf(app, event.eventId) });
    await app.settle();
    await openPayout(app, event);
    expectOk(await event.visitor.call(requestPayout, { eventId: event.eventId }));
    await app.settle();

    expect(await remove(event)).toMatchObject({ status: 409, body: { code: 'deletion.dispute-open' } });
  });

  it('wins against a simultaneous event creation or form submission', async () => {
    const organizer = await onboardedOrganizer(app);
    const userId = expectOk(await organizer.visitor.call(profile, {}))._id;
    const answers = await app.db.transaction().execute(async (tx) => {
      const { organizationId } = await actorOf(tx, organizer.email);
      await sql`select from organizations where id = ${organizationId} for update`.execute(tx);
      const removed = remove(organizer);
      await app.untilBlocked(1);
      const created = organizer.visitor.call(createEvent, eventForm(app));
      await app.untilBlocked(2);
      const saved = organizer.visitor.call(saveAccountInfo, accountInfo);
      await app.untilBlocked(3);
      return [removed, created, saved] as const;
    });
    const [removed, created] = await Promise.all(answers);

    const { rows } = await sql<{ firstName: string | null; isErased: boolean; events: number }>`
      select first_name, erased_at is not null as is_erased,
             (select count(*)::int from events e join memberships m using (organization_id) where m.user_id = u.id) as events
        from users u where id = ${userId}`.execute(app.db);
    // In either order, a deleted account has no event and no name.
    expect([removed.status === 200, created.status === 200]).not.toEqual([true, true]);
    expect(rows).toEqual([
      removed.status === 200
        ? { firstName: null, isErased: true, events: 0 }
        : expect.objectContaining({ isErased: false, events: 1 }),
    ]);
  });
});

describe('a restored backup', () => {
  it('excludes organizers deleted since then, but keeps new owners of their addresses', async () => {
    const { visitor, email } = await verifiedOrganizer(app);
    expectOk(await visitor.call(saveAccountInfo, accountInfo));
    const backup = await backUpAccount(app.db, email);
    await app.advance({ minutes: 1 });
    expectOk(await remove({ visitor }));
    // The backup predates the deletion: it has the account, and no record of its deletion.
    await sql`delete from erasures`.execute(app.db);
    await backup.restore();
    expectOk(await app.call(login, { email, password: PASSWORD }));

    await replayErasures(app.deps);

    expect((await app.call(login, { email, password: PASSWORD })).status).toBe(401);
    expect((await sql`select from users where email = ${email}`.execute(app.db)).rows).toEqual([]);
    const again = { email, password: PASSWORD, confirmPassword: PASSWORD, acceptedTerms: true } as const;
    await app.advance({ minutes: 1 });
    expectOk(await app.call(register, again));
    await replayErasures(app.deps);
    expectOk(await app.call(login, { email, password: PASSWORD }));
  });
});

describe('the ledger', () => {
  it('balances after all these deletions', async () => {
    await app.settle();

    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});

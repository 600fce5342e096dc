import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { profile, register, saveAccountInfo } from '#contract/app/accounts.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { retentionDays } from '#domain/retention.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { settleLapsedOrders } from '#server/payments/checkout/settle-lapsed-orders.ts';
import { inTransaction } from '#server/platform/database.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import {
  accountInfo,
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  newOrganizer,
  openCheckout,
  PASSWORD,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

/** Small pages, so that each kind needs several. */
const purgeNow = () => purge(app.deps, { pageSize: 2 });
const count = async (statement: ReturnType<typeof sql<{ n: number }>>) => (await statement.execute(app.db)).rows[0]?.n;
const usersNamed = (email: string) =>
  count(sql`select count(*)::int as n from users where lower(email) = lower(${email})`);

describe('the purge', () => {
  it('removes webhook events after they were processed and have expired', async () => {
    const { eventId } = await eventOnSale(app);
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
      await buyTickets(app, eventId, generalAdmission(1), email);
    await app.settle();
    const open = sql`insert into webhook_events (id, type, payload, received_at)
                     values ('evt_0', 'charge.updated', '{}', business_now()) on conflict do nothing`;
    await open.execute(app.db);
    const webhookEvents = async () => (await sql<{ id: string }>`select id from webhook_events`.execute(app.db)).rows;
    const before = await webhookEvents();

    await app.advance({ days: retentionDays.webhookEvent - 1 });
    await purgeNow();
    const meanwhile = await webhookEvents();
    await app.advance({ days: 1, hours: 1 });
    await purgeNow();
    const after = (await webhookEvents()).map(({ id }) => id);

    expect(before.length).toBeGreaterThan(3);
    expect(meanwhile).toEqual(expect.arrayContaining(before));
    expect(before.filter(({ id }) => after.includes(id))).toEqual([{ id: 'evt_0' }]);
    await sql`delete from webhook_events`.execute(app.db);
  });

  it('goes on with the other kinds if one fails, and reports it', async () => {
    await sql`insert into webhook_events (id, type, payload, received_at, processed_at)
              values ('evt_stuck', 'charge.updated', '{}', business_now(), business_now())`.execute(app.db);
    const { email } = await newOrganizer(app);
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'stuck'; end $$`.execute(
      app.db,
    );
    await sql`create trigger stuck before delete on webhook_events for each row execute function refuse()`.execute(
      app.db,
    );
    await app.advance({ days: retentionDays.unverifiedAccount + 1 });

    await expect(purgeNow()).rejects.toThrow('stuck');

    expect(await usersNamed(email)).toBe(0);
    await sql`drop function refuse() cascade`.execute(app.db);
    await sql`delete from webhook_events`.execute(app.db);
  });

  it('removes the addresses from sent emails and their subjects, and lets no email be sent twice', async () => {
    const { eventId, email } = await eventOnSale(app);
    await buyTickets(app, eventId, generalAdmission(1), 'mailed@example.com');
    const cancelled = await eventOnSale(app);
    for (const buyer of ['first@example.com', 'second@example.com'])
      await buyTickets(app, cancelled.eventId, generalAdmission(1), buyer);
    expectOk(await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId }));
    await emailsTo(app, email);
    await sql`insert into email_outbox (id, kind, subject_id, to_address, created_at, sent_at, state)
              select gen_random_uuid(), 'event-changed', 'change ' || n || '@example.com', n || '@example.com', business_now(), business_now(), 'sent'
                from generate_series(1, 3) n`.execute(app.db);
    const addresses = () =>
      count(sql`select count(*)::int as n from email_outbox where to_address || subject_id || params::text like '%@%'`);
    const emails = () => count(sql`select count(*)::int as n from email_outbox`);
    const [before, all] = [await addresses(), await emails()];

    await app.advance({ days: retentionDays.emailAddress + 1 });
    await purgeNow();

    expect(before).toBeGreaterThan(4);
    expect(await addresses()).toBe(0);
    expect(await emails()).toBe(all);
    expect(await emailsTo(app, email)).toEqual([]);
  });

  it('removes page link and cart of an unpaid checkout', async () => {
    const { eventId } = await eventOnSale(app);
    for (let n = 0; n < 3; n++) await openCheckout(app, eventId, generalAdmission(1));
    await app.advance({ hours: 2 });
    await settleLapsedOrders(app.deps);
    const kept = () =>
      count(sql`select count(*)::int as n from orders
                 where event_id = ${eventId} and state = 'expired' and (session_url is not null or cart_id is not null)`);
    // A running batch may hold one of them at this moment.
    await expect.poll(kept).toBe(3);
    await purgeNow();
    const meanwhile = await kept();

    await app.advance({ days: retentionDays.unpaidOrder });
    await purgeNow();

    expect(meanwhile).toBe(3);
    expect(await kept()).toBe(0);
  });

  it('deletes expired orders without a payment with their lines after 30 days, and no others [OPS-3]', async () => {
    const { eventId } = await eventOnSale(app);
    const paid = await buyTickets(app, eventId, generalAdmission(1));
    for (let n = 0; n < 4; n++) await openCheckout(app, eventId, generalAdmission(2));
    await app.advance({ hours: 2 });
    await settleLapsedOrders(app.deps);
    const orders = () => count(sql`select count(*)::int as n from orders where event_id = ${eventId}`);
    const expired = () =>
      count(sql`select count(*)::int as n from orders where event_id = ${eventId} and state = 'expired'`);
    const lines = () => count(sql`select count(*)::int as n from order_lines where event_id = ${eventId}`);
    await expect.poll(expired).toBe(4);
    await sql`update orders set payment_id = 'pi_late' where (event_id, id) =
                (select event_id, id from orders where event_id = ${eventId} and state = 'expired' limit 1)`.execute(
      app.db,
    );

    await app.advance({ days: retentionDays.expiredOrder - 1 });
    await purgeNow();
    const meanwhile = [await orders(), await lines()];
    await app.advance({ days: 2 });
    await inTransaction(app.db, async (tx) => {
      await sql`select from orders where event_id = ${eventId} and state = 'expired' and payment_id is null
                 order by id limit 1 for update`.execute(tx);
      await purgeNow();
    });
    const whileLocked = [await orders(), await lines()];
    await purgeNow();

    expect(codesOf(paid)).toHaveLength(1);
    expect([meanwhile, whileLocked, [await orders(), await lines()]]).toEqual([
      [5, 5],
      [3, 3],
      [2, 2],
    ]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('removes devices and offline scans of long past events, and no recent ones', async () => {
    const { eventId, attendantCode } = await eventOnSale(app);
    const [ticket = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(1)));
    for (let devices = 0; devices < 3; devices++) await attendantOf(app, eventId, attendantCode);
    await sql`insert into offline_scans (event_id, id, device_id, ticket_id, scanned_at, received_at, result)
              select event_id, gen_random_uuid(), gen_random_uuid(), id, business_now(), business_now(), 'double'
                from tickets, generate_series(1, 3) where confirmation_number = ${ticket}`.execute(app.db);
    const kept = () =>
      count(sql`select ((select count(*) from check_in_devices where event_id = ${eventId}) +
                        (select count(*) from offline_scans where event_id = ${eventId}))::int as n`);

    await app.advance({ days: retentionDays.checkInDevice });
    await purgeNow();
    const meanwhile = await kept();
    await attendantOf(app, eventId, attendantCode);
    await app.advance({ days: 2 });
    await purgeNow();

    expect([meanwhile, await kept()]).toEqual([6, 1]);
  });

  it('deletes reports of events after 400 days [BRAKE-6]', async () => {
    const { eventId } = await eventOnSale(app);
    const reports = () => count(sql`select count(*)::int as n from abuse_reports where event_id = ${eventId}`);
    const send = async (n: number) =>
      sql`insert into abuse_reports (id, event_id, reason, text, at)
          select gen_random_uuid(), ${eventId}, 'other', '', business_now() from generate_series(1, ${n}::integer)`.execute(
        app.db,
      );
    await send(3);
    await app.advance({ days: retentionDays.abuseReport - 1 });
    await send(1);
    await purgeNow();
    expect(await reports()).toBe(4);

    await app.advance({ days: 1, hours: 1 });
    await purgeNow();

    expect(await reports()).toBe(1);
  });

  it('deletes unverified accounts, and no others', async () => {
    const verified = await eventOnSale(app);
    const old = [await newOrganizer(app), await newOrganizer(app), await newOrganizer(app)];
    await sql`update users set email = 'demo@handstamp.example' where email = ${(await newOrganizer(app)).email}`.execute(
      app.db,
    );
    const organizationsOfOld = await Promise.all(old.map(({ email }) => actorOf(app.db, email)));
    await app.advance({ days: retentionDays.unverifiedAccount - 1 });
    const young = await newOrganizer(app);
    await app.advance({ days: 1, hours: 1 });
    await purgeNow();

    for (const { email } of old) expect(await usersNamed(email)).toBe(0);
    for (const { organizationId } of organizationsOfOld)
      expect(await count(sql`select count(*)::int as n from organizations where id = ${organizationId}`)).toBe(0);
    for (const email of [verified.email, young.email, 'demo@handstamp.example'])
      expect(await usersNamed(email)).toBe(1);
    const [gone] = old;
    const again = { password: PASSWORD, confirmPassword: PASSWORD, acceptedTerms: true } as const;
    expect((await app.call(register, { email: gone?.email ?? '', ...again })).status).toBe(200);
  });

  it('reduces a date of birth to an age check once Stripe has verified the account', async () => {
    const ready = await eventOnSale(app);
    const waiting = await verifiedOrganizer(app);
    expectOk(await waiting.visitor.call(saveAccountInfo, accountInfo));
    await purgeNow();
    await logInAgain(ready);

    const shown = expectOk(await ready.visitor.call(profile, {}));
    const { rows } = await sql<{ email: string; hasBirthday: boolean; wasAdult: boolean }>`
      select email, date_of_birth is not null as "hasBirthday", adult_confirmed_at is not null as "wasAdult" from users
       where email in (${ready.email}, ${waiting.email})`.execute(app.db);

    expect(rows).toContainEqual({ email: ready.email, hasBirthday: false, wasAdult: true });
    expect(rows).toContainEqual({ email: waiting.email, hasBirthday: true, wasAdult: false });
    expect(shown.accountInfo).toMatchObject({ firstName: 'Ada', dateOfBirth: null, taxIdLast4: '6789' });
    expect(shown.openSteps).toEqual([]);

    const { dateOfBirth: _birth, ...withoutBirthday } = accountInfo;
    expectOk(await ready.visitor.call(saveAccountInfo, withoutBirthday));
  });

  it('leaves the ledger unchanged', async () => {
    const ledger = () =>
      sql`select (select sum(cents) from ledger_entries where account = 'processor') as ours,
                 (select sum(net_cents) from balance_transactions) as theirs,
                 (select count(*) from orders) as orders, (select count(*) from tickets) as tickets`.execute(app.db);
    const before = (await ledger()).rows;

    await purgeNow();

    expect((await ledger()).rows).toEqual(before);
    await app.settle();
    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});

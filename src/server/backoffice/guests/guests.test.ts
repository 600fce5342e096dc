import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { guestFile, guestPage } from '#contract/app/guests.ts';
import { SUBSTRING_SEARCH_GUESTS_MAX } from '#domain/limits.ts';
import { checkGuest } from '#server/checkin/check-guest.ts';
import { rollUpTotals } from '#server/events/totals/roll-up-totals.ts';
import { claimRollUp } from '#server/events/totals/ticket-totals.sql.ts';
import { requestRefund } from '#server/payments/refunds/request-refund.ts';

import { newId } from '#server/platform/ids.ts';
import { organizerOf } from '#tests/support/actor-of.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { sellMany } from '#tests/support/many-guests.ts';
import { buyTickets, codesOf, eventOnSale, generalAdmission, newOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { exportGuests } from './export-guests.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

const totalsBroken = async () => (await brokenInvariants(app.db)).filter((line) => line.startsWith('ticket-totals'));

async function totalsOf({ visitor, eventId }: Seller) {
  const { body } = await visitor.call(profile, {});
  const event = body.events.find((one) => one.eventId === eventId);
  return [event?.ticketsSold, event?.ticketsScanned, event?.gross];
}

async function pendingChanges(eventId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ticket_total_changes where event_id = ${eventId}`.execute(app.db);
  return rows[0]?.n ?? 0;
}

describe('the totals of an event', () => {
  it('reflect sales, check-ins, refunds and a cancellation, rolled up or not', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    const order = await buyTickets(app, eventId, [
      { ticketName: 'General admission', quantity: 3 },
      { ticketName: 'Balcony', quantity: 1 },
    ]);
    const [first = '', second = ''] = codesOf(order);
    expect(await totalsOf(seller)).toEqual([4, 0, 110.5]);

    await expect.poll(() => rollUpTotals(app.deps).then(() => pendingChanges(eventId))).toBe(0);
    expect(await totalsOf(seller)).toEqual([4, 0, 110.5]);

    const scan = await checkGuest(app.deps, { eventId, deviceId: newId(), isMember: false }, first);
    expect(scan.status).toBe('admitted');
    await requestRefund(app.deps, { eventId, confirmationCode: second, ip: '127.0.0.1' });
    await app.settle();
    expect((await totalsOf(seller)).slice(0, 2)).toEqual([3, 1]);
    expect(await totalsBroken()).toEqual([]);

    await seller.visitor.call(cancelEvent, { eventId });
    await app.settle();
    await rollUpTotals(app.deps);
    expect(await totalsOf(seller)).toEqual([0, 0, 0]);
    expect(await totalsBroken()).toEqual([]);
  });

  it('request a roll-up once many changes are pending', async () => {
    const seller = await eventOnSale(app);
    await sql`
      insert into ticket_total_changes (event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided)
      select ${seller.eventId}, ${newId()}::uuid, 100, false, sign, sign, 0, 0
        from generate_series(1, 1001) i cross join (values (1), (-1)) both_ways (sign)`.execute(app.db);

    expect(await totalsOf(seller)).toEqual([0, 0, 0]);
    await app.settle();

    expect(await pendingChanges(seller.eventId)).toBe(0);
    expect(await totalsBroken()).toEqual([]);
  });
});

/** Stops the scheduled roll-up, which runs every minute. */
describe('the totals of an event, while no job runs', () => {
  let seller: Seller;
  beforeEach(async () => {
    seller = await eventOnSale(app);
    await app.endJobs();
  });
  afterEach(() => app.restartJobs());

  it('include a sale that commits during a roll-up', async () => {
    const { eventId } = seller;
    await buyTickets(app, eventId, generalAdmission(2));

    await app.db.transaction().execute(async (tx) => {
      // A sale has written its change but not committed it.
      await sql`insert into tickets
        select event_id, gen_random_uuid(), order_id, order_line_id, ticket_type_id, '9999999999', ticket_name, price_cents, buyer_email,
               state, null, null, issued_at
          from tickets where event_id = ${eventId} limit 1`.execute(tx);
      await rollUpTotals(app.deps);
      expect((await totalsOf(seller))[0]).toBe(2);
    });

    expect((await totalsOf(seller))[0]).toBe(3);
    expect(await pendingChanges(eventId)).toBe(1);
    await rollUpTotals(app.deps);
    expect((await totalsOf(seller))[0]).toBe(3);
    expect(await totalsBroken()).toEqual([]);
  });

  it('are rolled up by one process at a time, and others do not wait', async () => {
    const { eventId } = seller;
    await buyTickets(app, eventId, generalAdmission(1));

    await app.db.transaction().execute(async (tx) => {
      expect(await claimRollUp(tx)).toBe(true);
      await rollUpTotals(app.deps);
      expect(await pendingChanges(eventId)).toBe(1);
    });
  });
});

describe('a long guest list', () => {
  const GUESTS = SUBSTRING_SEARCH_GUESTS_MAX + 200;
  let seller: Seller;

  beforeAll(async () => {
    seller = await eventOnSale(app);
    await sellMany(app.db, seller.eventId, GUESTS);
  });

  async function allPages(wish: { q?: string }): Promise<string[]> {
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const { body } = await seller.visitor.call(guestPage, {
        eventId: seller.eventId,
        limit: wish.q ? 60 : 500,
        ...wish,
        ...(after && { after }),
      });
      found.push(...body.guestList.map((guest) => guest.confirmationNumber));
      if (body.guestListNext === null) return found;
      after = body.guestListNext;
    }
  }

  it('is paginated in the order of sale, with every guest once', async () => {
    const everyone = Array.from({ length: GUESTS }, (_, index) => String(1_000_000_001 + index));

    expect(await allPages({})).toEqual(everyone);
  });

  it('is searched by number prefix', async () => {
    const found = await allPages({ q: '10000000' });
    const one = await seller.visitor.call(guestPage, { eventId: seller.eventId, q: '1000004242' });

    expect(found).toEqual(Array.from({ length: 99 }, (_, index) => String(1_000_000_001 + index)));
    expect(one.body.guestList.map((guest) => guest.email)).toEqual(['e00004242@example.com']);
  });

  it('is searched by case-insensitive address prefix only', async () => {
    const found = await allPages({ q: 'B0000' });
    const wild = await seller.visitor.call(guestPage, { eventId: seller.eventId, q: '%' });
    const inside = await seller.visitor.call(guestPage, { eventId: seller.eventId, q: '@example' });

    const ofB = Array.from({ length: GUESTS }, (_, index) => index + 1).filter((one) => one % 26 === 1);
    expect(found).toEqual(ofB.map((one) => String(1_000_000_000 + one)));
    expect([...wild.body.guestList, ...inside.body.guestList]).toEqual([]);
  });

  it('finds addresses that start with digits, and reports that it searched prefixes only', async () => {
    await app.db
      .updateTable('tickets')
      .set({ buyerEmail: '99887766@example.com' })
      .where('eventId', '=', seller.eventId)
      .where('confirmationNumber', '=', '1000000007')
      .execute();

    const { body } = await seller.visitor.call(guestPage, { eventId: seller.eventId, q: '998877' });

    expect(body.guestList.map((guest) => guest.confirmationNumber)).toEqual(['1000000007']);
    expect(body.isByBeginning).toBe(true);
  });

  it('rejects an invalid cursor', async () => {
    const reply = await seller.visitor.call(guestPage, { eventId: seller.eventId, after: 'x' });

    expect(reply.status).toBe(400);
  });

  it('is exported completely, piece by piece', async () => {
    const reply = await seller.visitor.fetch(guestFile.path.replace(':eventId', seller.eventId));
    const [head, ...lines] = (await reply.text()).split('\r\n');

    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(head).toContain('"Email","Confirmation number","Ticket","Price (USD)","Ticket scanned","Scanned at (');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => line.split(',')[1])).toEqual(
      Array.from({ length: GUESTS }, (_, index) => `"${1_000_000_001 + index}"`),
    );
  });

  it('is exported in separate statements, so that sales during the download are included', async () => {
    const { eventId } = seller;
    const { chunks: pieces } = await exportGuests(app.deps, await organizerOf(app.db, eventId), { eventId });
    const reader = pieces[Symbol.asyncIterator]();
    await reader.next();
    await reader.next();

    const order = await buyTickets(app, eventId, generalAdmission(1), 'late@example.com');
    let rest = '';
    for (let next = await reader.next(); !next.done; next = await reader.next()) rest += next.value;

    expect(rest).toContain(codesOf(order)[0]);
    expect(rest).toContain('"late@example.com"');
  });
});

describe('the exported guest list', () => {
  it('shows check-ins and refunds in the event’s time zone', async () => {
    const seller = await eventOnSale(app, { title: 'Böse "Nacht" / 1' });
    const { eventId } = seller;
    const order = await buyTickets(app, eventId, generalAdmission(3), '=cmd@example.com');
    const [first = '', second = ''] = codesOf(order);
    const scan = await checkGuest(app.deps, { eventId, deviceId: newId(), isMember: false }, first);
    expect(scan.status).toBe('admitted');
    await requestRefund(app.deps, { eventId, confirmationCode: second, ip: '127.0.0.1' });
    await app.settle();

    const path = guestFile.path.replace(':eventId', eventId);
    const sold = await (await seller.visitor.fetch(path)).text();
    const reply = await seller.visitor.fetch(`${path}?all=1`);
    const all = await reply.text();

    const rowOf = (number: string) => all.split('\r\n').find((line) => line.includes(number));
    expect(sold).not.toContain(second);
    expect(rowOf(first)).toMatch(
      /^"'=cmd@example\.com","\d{10}","General admission","24\.00","Yes","\d{4}-\d\d-\d\d \d\d:\d\d:\d\d","[^"]+","","Sam Buyer"$/,
    );
    expect(rowOf(second)).toMatch(/,"No","","[^"]+","Refunded","Sam Buyer"$/);
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Guests of Bose Nacht 1 \d{4}-\d\d-\d\d\.csv"; filename\*=UTF-8''Guests%20of%20B%C3%B6se%20Nacht%201%20/,
    );
  });

  it('is not generated for a HEAD request', async () => {
    const { visitor, eventId } = await eventOnSale(app);

    const reply = await visitor.fetch(guestFile.path.replace(':eventId', eventId), { method: 'HEAD' });

    expect(reply.status).toBe(404);
  });

  it('is available only to the organizer', async () => {
    const { eventId } = await eventOnSale(app);
    const { visitor } = await newOrganizer(app);
    const path = guestFile.path.replace(':eventId', eventId);

    expect((await app.visitor().fetch(path)).status).toBe(401);
    expect((await visitor.fetch(path)).status).toBe(404);
  });
});

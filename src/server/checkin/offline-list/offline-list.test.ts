import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { findTickets, offlineTicketList } from '#contract/app/check-in-devices.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { OFFLINE_LIST_TICKETS_MAX } from '#domain/limits.ts';
import { decideDispute, disputePayment } from '#tests/support/disputes.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { sellMany } from '#tests/support/many-guests.ts';
import { OfflineDevice } from '#tests/support/offline-device.ts';
import { accountInfo, attendantOf, buyTickets, codesOf, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { isAtOrAfter } from './offline-list.sql.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const BUYER = 'sam@example.com';
const seat = (ticketQuantity: number, ticketName = 'Seat') => ({
  ticketName,
  ticketDescription: 'A chair',
  ticketPrice: 24,
  ticketQuantity,
});

/** An event with sold tickets and a check-in device. */
async function atTheDoor(sold = 1, change: Parameters<typeof eventOnSale>[1] = {}) {
  const event = await eventOnSale(app, change);
  const codes = sold > 0 ? codesOf(await buyTickets(app, event.eventId, generalAdmission(sold), BUYER)) : [];
  const visitor = await attendantOf(app, event.eventId, event.attendantCode);
  return {
    event,
    eventId: event.eventId,
    codes,
    code: codes[0] ?? '',
    visitor,
    device: new OfflineDevice(visitor, event.eventId),
  };
}

describe('the offline list of an event', () => {
  it('takes about 80 kB for 5,000 tickets, and matches each of their numbers', async () => {
    const { eventId, visitor, device } = await atTheDoor(0, { tickets: [seat(5_000)] });
    await sellMany(app.db, eventId, 5_000);
    const text = async () => {
      const body = JSON.stringify({ eventId, pending: 0 });
      const headers = { 'content-type': 'application/json' };
      return (await visitor.fetch(offlineTicketList.path, { method: 'POST', headers, body })).text();
    };
    const size = Buffer.byteLength(await text());
    const reply = await device.poll();

    expect(size).toBeGreaterThan(80_000);
    expect(size).toBeLessThan(82_000);
    expect(reply).toMatchObject({ isWhole: true, bits: 23, ticketTypes: ['Seat'] });
    expect(reply.counts).toEqual([{ sold: 5_000, admitted: 0 }]);
    expect(device.tickets.size).toBe(5_000);
    for (let n = 1; n <= 5_000; n += 250) expect(device.statesOf(String(1_000_000_000 + n))).toContain('valid');

    // Check-in hours add almost nothing.
    await app.db
      .updateTable('events')
      .set(({ ref }) => ({ checkInOpensAt: ref('startsAt'), checkInClosesAt: ref('endsAt') }))
      .where('id', '=', eventId)
      .execute();
    await expect.poll(text).not.toContain('"opensAt":null');
    expect(Buffer.byteLength(await text()) - size).toBeLessThan(1_000);
  });

  it('contains no email address, personal name or number, like every other response', async () => {
    const { event, eventId, visitor, codes } = await atTheDoor(5);
    await visitor.call(checkGuest, { eventId, confirmationNumber: codes[0] ?? '' });
    const ask = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const reply = await visitor.fetch(path, { method: 'POST', headers, body: JSON.stringify({ eventId, ...body }) });
      expect(reply.status).toBe(200);
      return reply.text();
    };
    const whole = await ask(offlineTicketList.path, { pending: 0 });
    const { edition, upTo, tickets } = JSON.parse(whole);
    const changes = await ask(offlineTicketList.path, { pending: 0, have: { edition, upTo } });
    const found = await Promise.all(codes.map((code) => ask(findTickets.path, { lastDigits: code.slice(-4) })));

    const responses = [whole, changes, ...found, Buffer.from(tickets, 'base64').toString('latin1')].join('\n');
    const { firstName, lastName, phoneNumber } = accountInfo;
    for (const secret of [
      BUYER,
      'example.com',
      event.email,
      firstName,
      lastName,
      phoneNumber,
      event.attendantCode,
      ...codes,
    ])
      expect(responses).not.toContain(secret);
  });

  it("includes the check-ins per type and of this device, and the event's details", async () => {
    const { event, eventId, codes, visitor, device } = await atTheDoor(3);
    const other = new OfflineDevice(await attendantOf(app, eventId, event.attendantCode), eventId);
    for (const confirmationNumber of codes.slice(0, 2)) await visitor.call(checkGuest, { eventId, confirmationNumber });

    const here = await device.pollUntilChanged();
    const there = await other.pollUntilChanged();

    expect(here.ticketTypes).toEqual(['General admission', 'Balcony']);
    expect(here.counts).toEqual([
      { sold: 3, admitted: 2 },
      { sold: 0, admitted: 0 },
    ]);
    expect(here.device.admitted).toBe(2);
    expect(there).toMatchObject({ counts: here.counts, device: { admitted: 0 } });
    expect(there.device.id).not.toBe(here.device.id);
    expect(Math.abs(here.now - app.now().getTime())).toBeLessThan(10_000);
    expect(here).toMatchObject({ title: 'Basement Brass', timezone: 'America/New_York', isCancelled: false });
  });

  it('is denied for more tickets than its hashes can tell from made-up numbers', async () => {
    const { eventId, visitor } = await atTheDoor();
    await sql`
      insert into ticket_total_changes (event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided)
      select event_id, id, 2400, false, ${OFFLINE_LIST_TICKETS_MAX}, 0, 0, 0
        from ticket_types where event_id = ${eventId} and position = 0`.execute(app.db);

    expect(await visitor.call(offlineTicketList, { eventId, pending: 0 })).toMatchObject({
      status: 409,
      body: { code: 'offline-list.too-long' },
    });
  });
});

describe('the changes of a list', () => {
  it('are empty if nothing changed', async () => {
    const { device } = await atTheDoor(5);
    await device.poll();
    await app.settle();

    // Changes repeat whatever is newer than the oldest open transaction of the server, which other tests share.
    let reply = await device.pollUntilChanged();
    const pollOnce = async () => (reply = await device.pollUntilChanged());
    await expect.poll(pollOnce).toMatchObject({ isWhole: false, tickets: '' });
    expect(JSON.stringify(reply).length).toBeLessThan(600);
  });

  it('include tickets sold, scanned, disputed, refunded or voided, and a cancelled event', async () => {
    const { event, eventId, code, visitor, device } = await atTheDoor();
    await device.poll();
    const buy = async () => codesOf(await buyTickets(app, eventId, generalAdmission(1), BUYER))[0] ?? '';
    const [returned, disputed] = [await buy(), await buy()];
    expect((await device.pollUntilChanged()).isWhole).toBe(false);
    expect([returned, disputed].map((number) => device.statesOf(number))).toEqual([['valid'], ['valid']]);

    await visitor.call(checkGuest, { eventId, confirmationNumber: code });
    await app.call(requestRefund, { eventId, confirmationCode: returned });
    const dispute = await disputePayment(app, eventId, { which: 2 });
    const next = await device.pollUntilChanged();
    expect(next.isWhole).toBe(false);
    expect([code, returned, disputed].flatMap((number) => device.statesOf(number))).toEqual([
      'scanned',
      'refunded',
      'disputed',
    ]);
    expect(next.counts[0]).toEqual({ sold: 2, admitted: 1 });

    await decideDispute(app, dispute, 'lost');
    await event.visitor.call(cancelEvent, { eventId });
    const last = await device.pollUntilChanged();
    expect(last).toMatchObject({ isWhole: false, isCancelled: true });
    expect(device.statesOf(disputed)).toEqual(['void']);
  });

  it('include a transaction that started before a read and committed after it', async () => {
    const { eventId, codes, visitor, device } = await atTheDoor(3);
    const [slow = '', quick = ''] = codes;
    await device.pollUntilChanged();

    await app.db.transaction().execute(async (tx) => {
      await sql`
        update tickets set state = 'scanned', scanned_at = now()
         where event_id = ${eventId} and confirmation_number = ${slow}`.execute(tx);
      await visitor.call(checkGuest, { eventId, confirmationNumber: quick });
      await device.pollUntilChanged();
      expect([device.statesOf(slow), device.statesOf(quick)]).toEqual([['valid'], ['scanned']]);
    });
    const reply = await device.pollUntilChanged();

    expect(reply.isWhole).toBe(false);
    expect(device.statesOf(slow)).toEqual(['scanned']);
  });

  it('reach each of many devices that share reads', async () => {
    const { event, eventId, codes, visitor } = await atTheDoor(10);
    const join = async () => new OfflineDevice(await attendantOf(app, eventId, event.attendantCode), eventId);
    const devices = await Promise.all(Array.from({ length: 10 }, join));
    for (const [n, confirmationNumber] of codes.entries()) {
      await visitor.call(checkGuest, { eventId, confirmationNumber });
      await devices[n]?.poll();
    }
    await Promise.all(devices.map((device) => device.pollUntilChanged()));

    for (const device of devices)
      expect(codes.flatMap((code) => device.statesOf(code))).toEqual(codes.map(() => 'scanned'));
  });
});

describe('the edition of a list', () => {
  it('changes with the types and the hash length, and sends all tickets again', async () => {
    const { event, device, code } = await atTheDoor(1, { tickets: [seat(100, 'General admission')] });
    const first = await device.poll();

    await editEventOf(app, event, { tickets: [seat(101, 'General admission')], description: 'Seven horns.' });
    const same = await device.pollUntilChanged();
    expect(same).toMatchObject({ edition: first.edition, isWhole: false });

    await editEventOf(app, event, { tickets: [seat(5_000, 'General admission')] });
    const longer = await device.pollUntilChanged();
    expect(longer.bits).toBeGreaterThan(first.bits);
    expect(longer.edition).not.toBe(first.edition);
    expect(longer.salt).toBe(first.salt);
    expect(device.statesOf(code)).toEqual(['valid']);

    await editEventOf(app, event, { tickets: [seat(4_900, 'General admission'), seat(5, 'Balcony')] });
    const more = await device.pollUntilChanged();
    expect(more).toMatchObject({ bits: longer.bits, ticketTypes: ['General admission', 'Balcony'] });
    expect(more.edition).not.toBe(longer.edition);
    expect(device.statesOf(code)).toEqual(['valid']);
  });

  it('keeps only removed types that still have tickets', async () => {
    const { eventId, device } = await atTheDoor();
    const [given = ''] = codesOf(await buyTickets(app, eventId, [{ ticketName: 'Balcony', quantity: 1 }]));
    await app.call(requestRefund, { eventId, confirmationCode: given });
    await app.settle();
    await app.db
      .updateTable('ticketTypes')
      .set({ removedAt: new Date() })
      .where('eventId', '=', eventId)
      .where('name', '=', 'Balcony')
      .execute();
    await app.db
      .insertInto('ticketTypes')
      .values({
        eventId,
        id: '01900000-0000-7000-8000-000000000000',
        position: 7,
        name: 'Gallery',
        description: '',
        priceCents: 100,
        quantity: 5,
        removedAt: new Date(),
      })
      .execute();

    const reply = await device.poll();

    expect(reply.ticketTypes).toEqual(['General admission', 'Balcony']);
    expect(device.statesOf(given)).toEqual(['refunded']);
  });
});

describe('a device that requests a list', () => {
  it('is rejected once it was removed', async () => {
    const { eventId, visitor, device } = await atTheDoor();
    await device.poll({ pending: 7 });
    const devices = app.db.selectFrom('checkInDevices').where('eventId', '=', eventId).select('pending');
    expect(await devices.execute()).toEqual([{ pending: 7 }]);
    await app.db.updateTable('checkInDevices').set({ removedAt: new Date() }).where('eventId', '=', eventId).execute();

    expect(await visitor.call(offlineTicketList, { eventId, pending: 0 })).toMatchObject({
      status: 401,
      body: { code: 'attendant-code.missing' },
    });
  });

  it("has a grant for the event, or is the organizer's browser", async () => {
    const [{ event, eventId }, other] = [await atTheDoor(), await atTheDoor()];

    for (const visitor of [app.visitor(), other.visitor, other.event.visitor])
      expect((await visitor.call(offlineTicketList, { eventId, pending: 0 })).status).toBe(401);
    expect((await event.visitor.call(offlineTicketList, { eventId, pending: 0 })).body).toMatchObject({
      grantEndsAt: null,
    });
  });

  it.each([
    ['empty', () => ''],
    ['not a number', () => 'constructor'],
    ['without a time', () => '5'],
    ['the largest transaction', () => `${2n ** 63n - 1n}.0`],
    ['a future transaction', (upTo: string) => upTo.replace(/^\d+/, (digits) => String(BigInt(digits) + 1_000_000n))],
    ['a future time', (upTo: string) => upTo.replace(/\.\w+$/, '.zzzzzzzz')],
    ['negative', (upTo: string) => `-${upTo}`],
    ['with two times', (upTo: string) => upTo.split('.').concat('0').join('.')],
  ])('gets the whole list if its cursor is invalid: %s', async (_what, change) => {
    const { eventId, visitor, device } = await atTheDoor();
    const { edition, upTo } = await device.poll();
    const have = (changed: string) =>
      visitor.call(offlineTicketList, { eventId, pending: 0, have: { edition, upTo: changed } });

    expect(await have(upTo)).toMatchObject({ status: 200, body: { isWhole: false } });
    expect(await have(change(upTo).slice(0, 30))).toMatchObject({ status: 200, body: { isWhole: true } });
  });

  it('gets the whole list if it has another edition', async () => {
    const { eventId, visitor, device } = await atTheDoor();
    const { upTo } = await device.poll();

    for (const edition of ['', 'other', '\u202e'])
      expect(
        (await visitor.call(offlineTicketList, { eventId, pending: 0, have: { edition, upTo } })).body.isWhole,
      ).toBe(true);
  });
});

describe('transaction ids', () => {
  it.each([
    ['4294967290', '4294967290', true],
    ['4294967291', '4294967290', true],
    ['4294967289', '4294967290', false],
    ['5', '4294967290', true],
    ['4294967290', '5', false],
    // FrozenTransactionId: rows older than any transaction.
    ['2', '4294967290', false],
  ])('wrap around: %s is at or after %s: %s', async (one, other, expected) => {
    const { rows } = await sql<{ answer: boolean }>`
      select ${isAtOrAfter(sql`${one}::xid`, sql`${other}::xid`)} as answer`.execute(app.db);
    expect(rows[0]?.answer).toBe(expected);
  });
});

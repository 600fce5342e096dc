import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { checkInDashboard, endShift } from '#contract/app/check-in-devices.ts';

import { newId } from '#server/platform/ids.ts';
import type { Schema } from '#server/platform/schema.ts';
import { grantIdOf } from '#tests/support/check-in-devices.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { devicesOf } from './dashboard.sql.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

async function eventWithDevices(tickets: number) {
  const event = await eventOnSale(app);
  const codes = codesOf(await buyTickets(app, event.eventId, generalAdmission(tickets), 'guest@example.com'));
  const deviceNamed = (name: string) => attendantOf(app, event.eventId, event.attendantCode, name);
  const [front, back] = [await deviceNamed('Front'), await deviceNamed('Back')];
  const scan = async (device: Visitor, code = '') =>
    expectOk(await device.call(checkGuest, { eventId: event.eventId, confirmationNumber: code }));
  const readDashboard = async () => expectOk(await event.visitor.call(checkInDashboard, { eventId: event.eventId }));
  return { ...event, codes, front, back, scan, readDashboard };
}

type Fixture = Awaited<ReturnType<typeof eventWithDevices>>;

let scansPlanted = 0;

/** Timestamps are a millisecond apart, so that the order is defined. */
async function plantOfflineScan(
  fixture: Fixture,
  by: Visitor,
  result: Schema['offlineScans']['result'],
  change: object = {},
) {
  const ticketId = result === 'unknown' ? null : await ticketOf(fixture, 0);
  const at = new Date(app.now().getTime() + ++scansPlanted);
  const scan = { eventId: fixture.eventId, id: newId(), deviceId: grantIdOf(app, by), ticketId, result };
  await app.db
    .insertInto('offlineScans')
    .values({ ...scan, scannedAt: at, receivedAt: at, ...change })
    .execute();
  return { id: scan.id, at: at.getTime() };
}

async function ticketOf({ eventId, codes }: Fixture, index: number) {
  const ticket = app.db
    .selectFrom('tickets')
    .select('id')
    .where('eventId', '=', eventId)
    .where('confirmationNumber', '=', codes[index] ?? '');
  return (await ticket.executeTakeFirstOrThrow()).id;
}

describe('the check-in dashboard', () => {
  it('counts sold and admitted tickets by type', async () => {
    const fixture = await eventWithDevices(4);
    await fixture.scan(fixture.front, fixture.codes[0]);
    const change = (index: number, to: object) =>
      app.db
        .updateTable('tickets')
        .set(to)
        .where('confirmationNumber', '=', fixture.codes[index] ?? '')
        .execute();
    await change(1, { disputedAt: app.now() });
    await change(2, { state: 'refunded' });

    const view = await fixture.readDashboard();

    expect(view).toMatchObject({ title: 'Basement Brass', timezone: 'America/New_York' });
    expect(view.attendantCode).toBe(fixture.attendantCode);
    expect(view.counts).toEqual([
      { ticketName: 'General admission', isAddOn: false, sold: 2, admitted: 1 },
      { ticketName: 'Balcony', isAddOn: false, sold: 0, admitted: 0 },
    ]);
  });

  it('lists devices with their check-ins, most recent first', async () => {
    const fixture = await eventWithDevices(3);
    await fixture.scan(fixture.front, fixture.codes[0]);
    await fixture.scan(fixture.front, fixture.codes[1]);
    await app.advance({ minutes: 10 });
    const { at } = await plantOfflineScan(fixture, fixture.front, 'double');
    await fixture.scan(fixture.back, fixture.codes[2]);
    expectOk(await fixture.back.call(endShift, { eventId: fixture.eventId }));
    const { devices, now } = await fixture.readDashboard();

    expect(devices.map(({ name, admitted, state }) => [name, admitted, state])).toEqual([
      ['Back', 1, 'removed'],
      ['Front', 2, 'open'],
    ]);
    expect(devices.map(({ id }) => id).at(-1)).toBe(grantIdOf(app, fixture.front));
    expect(devices.map(({ isMember }) => isMember)).toEqual([false, false]);
    expect(devices.at(-1)?.lastScanAt).toBe(at);
    expect(now - (devices[0]?.lastScanAt ?? 0)).toBeLessThan(60_000);
    await app.advance({ hours: 12 });
    const later = await devicesOf(app.deps.db, fixture.eventId);
    expect(later.map(({ state }) => state)).toEqual(['removed', 'ended']);
  });

  it('lists every open device, however many others there were', async () => {
    const fixture = await eventWithDevices(1);
    const at = new Date(app.now().getTime() + 1000);
    const removed = { eventId: fixture.eventId, name: 'Removed', enteredAt: at, endsAt: at, seenAt: at, removedAt: at };
    const many = Array.from({ length: 450 }, () => ({ ...removed, id: newId() }));
    await app.db.insertInto('checkInDevices').values(many).execute();

    const { devices } = await fixture.readDashboard();

    expect(devices).toHaveLength(400);
    expect(devices.filter(({ state }) => state === 'open').map(({ name }) => name)).toEqual(['Back', 'Front']);
  });

  it('totals arrivals per five minutes', async () => {
    const fixture = await eventWithDevices(3);
    const day = new Date('2026-06-01T00:00:00Z').getTime();
    const minutes = (count: number) => day + count * 60_000;
    for (const [index, minute] of [4.9, 5, 9.9].entries())
      await app.db
        .updateTable('tickets')
        .set({ state: 'scanned', scannedAt: new Date(minutes(minute)), scannedBy: newId() })
        .where('confirmationNumber', '=', fixture.codes[index] ?? '')
        .execute();

    expect((await fixture.readDashboard()).arrivals).toEqual([
      { from: minutes(0), admitted: 1 },
      { from: minutes(5), admitted: 2 },
    ]);
  });

  it('lists sync conflicts, most recent first', async () => {
    const fixture = await eventWithDevices(2);
    await fixture.scan(fixture.front, fixture.codes[0]);
    const first = await app.db
      .selectFrom('tickets')
      .where('id', '=', await ticketOf(fixture, 0))
      .selectAll()
      .executeTakeFirst();
    const [double, unknown] = [
      await plantOfflineScan(fixture, fixture.back, 'double'),
      await plantOfflineScan(fixture, fixture.back, 'unknown'),
    ];
    const ticketId = await ticketOf(fixture, 1);
    const disputed = await plantOfflineScan(fixture, fixture.front, 'disputed', { ticketId });
    await plantOfflineScan(fixture, fixture.front, 'first', { ticketId });
    await plantOfflineScan(fixture, fixture.back, 'again', { ticketId });
    // The conflicting scan itself admitted the disputed ticket, so there is no earlier check-in.
    await app.db
      .updateTable('tickets')
      .set({ state: 'scanned', scannedAt: app.now(), scannedBy: grantIdOf(app, fixture.front), scanId: disputed.id })
      .where('id', '=', ticketId)
      .execute();

    const view = await fixture.readDashboard();

    const nothing = { ticketName: null, isAddOn: false, confirmationNumber: null, firstAt: null, firstDevice: null };
    const ticketName = 'General admission';
    expect(view.conflicts).toEqual([
      {
        ...nothing,
        result: 'disputed',
        ticketName,
        isAddOn: false,
        confirmationNumber: fixture.codes[1],
        at: disputed.at,
        device: 'Front',
      },
      { ...nothing, result: 'unknown', at: unknown.at, device: 'Back' },
      {
        result: 'double',
        ticketName,
        isAddOn: false,
        confirmationNumber: fixture.codes[0],
        at: double.at,
        device: 'Back',
        firstAt: first?.scannedAt?.getTime(),
        firstDevice: 'Front',
      },
    ]);
    expect(JSON.stringify(view)).not.toContain('@');
  });

  it('lists the latest 200 sync conflicts', async () => {
    const fixture = await eventWithDevices(1);
    const rows = Array.from({ length: 210 }, (_, index) => {
      const at = new Date(app.now().getTime() + index);
      const deviceId = grantIdOf(app, fixture.front);
      return { eventId: fixture.eventId, id: newId(), deviceId, ticketId: null, scannedAt: at, receivedAt: at };
    });
    await app.db
      .insertInto('offlineScans')
      .values(rows.map((row) => ({ ...row, result: 'unknown' as const })))
      .execute();

    const { conflicts } = await fixture.readDashboard();

    expect(conflicts.map(({ at }) => at)).toEqual(
      rows
        .map(({ scannedAt }) => scannedAt.getTime())
        .toReversed()
        .slice(0, 200),
    );
  });

  it("is visible only to the event's organizer", async () => {
    const fixture = await eventWithDevices(1);
    const other = await eventOnSale(app);
    const { eventId } = fixture;

    expect(await other.visitor.call(checkInDashboard, { eventId })).toMatchObject({
      status: 404,
      body: { code: 'event.not-found' },
    });
    expect((await fixture.front.call(checkInDashboard, { eventId })).status).toBe(401);
    expect((await app.call(checkInDashboard, { eventId })).status).toBe(401);
  });
});

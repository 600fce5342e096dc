import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/admission.ts';
import { checkInDashboard, endShift } from '#contract/door.ts';
import { eventNotFound } from '#contract/events.ts';
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

async function openDoor(tickets: number) {
  const event = await eventOnSale(app);
  const codes = codesOf(await buyTickets(app, event.eventId, generalAdmission(tickets), 'guest@example.com'));
  const deviceNamed = (name: string) => attendantOf(app, event.eventId, event.attendantCode, name);
  const [front, back] = [await deviceNamed('Front'), await deviceNamed('Back')];
  const scan = async (device: Visitor, code = '') =>
    expectOk(await device.call(checkGuest, { eventId: event.eventId, confirmationNumber: code }));
  const look = async () => expectOk(await event.visitor.call(checkInDashboard, { eventId: event.eventId }));
  return { ...event, codes, front, back, scan, look };
}

type Door = Awaited<ReturnType<typeof openDoor>>;

/** As the device hands it in. */
let handIns = 0;

/** One after the other, also where they are quicker than a millisecond. */
async function synced(door: Door, by: Visitor, outcome: Schema['offlineScans']['outcome'], change: object = {}) {
  const ticketId = outcome === 'unknown' ? null : await ticketOf(door, 0);
  const at = new Date(app.now().getTime() + ++handIns);
  const scan = { eventId: door.eventId, id: newId(), deviceId: grantIdOf(app, by), ticketId, outcome };
  await app.db
    .insertInto('offlineScans')
    .values({ ...scan, scannedAt: at, receivedAt: at, ...change })
    .execute();
  return { id: scan.id, at: at.getTime() };
}

async function ticketOf({ eventId, codes }: Door, place: number) {
  const ticket = app.db
    .selectFrom('tickets')
    .select('id')
    .where('eventId', '=', eventId)
    .where('confirmationNumber', '=', codes[place] ?? '');
  return (await ticket.executeTakeFirstOrThrow()).id;
}

describe('the view of the doors', () => {
  it('counts by ticket type who is in, of those whose ticket is good', async () => {
    const door = await openDoor(4);
    await door.scan(door.front, door.codes[0]);
    const change = (place: number, to: object) =>
      app.db
        .updateTable('tickets')
        .set(to)
        .where('confirmationNumber', '=', door.codes[place] ?? '')
        .execute();
    await change(1, { disputedAt: app.now() });
    await change(2, { state: 'refunded' });

    const view = await door.look();

    expect(view).toMatchObject({ title: 'Basement Brass', timezone: 'America/New_York' });
    expect(view.attendantCode).toBe(door.attendantCode);
    expect(view.counts).toEqual([
      { ticketName: 'General admission', sold: 2, admitted: 1 },
      { ticketName: 'Balcony', sold: 0, admitted: 0 },
    ]);
  });

  it('shows each device with what it let in, the last first', async () => {
    const door = await openDoor(3);
    await door.scan(door.front, door.codes[0]);
    await door.scan(door.front, door.codes[1]);
    await app.advance({ minutes: 10 });
    const { at } = await synced(door, door.front, 'double');
    await door.scan(door.back, door.codes[2]);
    expectOk(await door.back.call(endShift, { eventId: door.eventId }));
    const { devices, now } = await door.look();

    expect(devices.map(({ name, admitted, state }) => [name, admitted, state])).toEqual([
      ['Back', 1, 'removed'],
      ['Front', 2, 'open'],
    ]);
    expect(devices.map(({ id }) => id).at(-1)).toBe(grantIdOf(app, door.front));
    expect(devices.at(-1)?.lastScanAt).toBe(at);
    expect(now - (devices[0]?.lastScanAt ?? 0)).toBeLessThan(60_000);
    await app.advance({ hours: 12 });
    const later = await devicesOf(app.deps.db, door.eventId);
    expect(later.map(({ state }) => state)).toEqual(['removed', 'ended']);
  });

  it('shows all devices that are open, however many others there were', async () => {
    const door = await openDoor(1);
    const at = new Date(app.now().getTime() + 1000);
    const gone = { eventId: door.eventId, name: 'Gone', enteredAt: at, endsAt: at, seenAt: at, removedAt: at };
    const many = Array.from({ length: 450 }, () => ({ ...gone, id: newId() }));
    await app.db.insertInto('doorDevices').values(many).execute();

    const { devices } = await door.look();

    expect(devices).toHaveLength(400);
    expect(devices.filter(({ state }) => state === 'open').map(({ name }) => name)).toEqual(['Back', 'Front']);
  });

  it('adds up who came in each five minutes', async () => {
    const door = await openDoor(3);
    const day = new Date('2026-06-01T00:00:00Z').getTime();
    const minutes = (count: number) => day + count * 60_000;
    for (const [place, minute] of [4.9, 5, 9.9].entries())
      await app.db
        .updateTable('tickets')
        .set({ state: 'scanned', scannedAt: new Date(minutes(minute)), scannedBy: newId() })
        .where('confirmationNumber', '=', door.codes[place] ?? '')
        .execute();

    expect((await door.look()).arrivals).toEqual([
      { from: minutes(0), admitted: 1 },
      { from: minutes(5), admitted: 2 },
    ]);
  });

  it('names each scan without a network that let in somebody who should not have come in, the last first', async () => {
    const door = await openDoor(2);
    await door.scan(door.front, door.codes[0]);
    const first = await app.db
      .selectFrom('tickets')
      .where('id', '=', await ticketOf(door, 0))
      .selectAll()
      .executeTakeFirst();
    const [double, unknown] = [await synced(door, door.back, 'double'), await synced(door, door.back, 'unknown')];
    const ticketId = await ticketOf(door, 1);
    const disputed = await synced(door, door.front, 'disputed', { ticketId });
    await synced(door, door.front, 'first', { ticketId });
    await synced(door, door.back, 'again', { ticketId });
    // The disputed ticket came in by this very scan, which is not twice.
    await app.db
      .updateTable('tickets')
      .set({ state: 'scanned', scannedAt: app.now(), scannedBy: grantIdOf(app, door.front), scanId: disputed.id })
      .where('id', '=', ticketId)
      .execute();

    const view = await door.look();

    const nothing = { ticketName: null, confirmationNumber: null, firstAt: null, firstDevice: null };
    const ticketName = 'General admission';
    expect(view.findings).toEqual([
      {
        ...nothing,
        outcome: 'disputed',
        ticketName,
        confirmationNumber: door.codes[1],
        at: disputed.at,
        device: 'Front',
      },
      { ...nothing, outcome: 'unknown', at: unknown.at, device: 'Back' },
      {
        outcome: 'double',
        ticketName,
        confirmationNumber: door.codes[0],
        at: double.at,
        device: 'Back',
        firstAt: first?.scannedAt?.getTime(),
        firstDevice: 'Front',
      },
    ]);
    expect(JSON.stringify(view)).not.toContain('@');
  });

  it('names the last two hundred of them', async () => {
    const door = await openDoor(1);
    const rows = Array.from({ length: 210 }, (_, place) => {
      const at = new Date(app.now().getTime() + place);
      const deviceId = grantIdOf(app, door.front);
      return { eventId: door.eventId, id: newId(), deviceId, ticketId: null, scannedAt: at, receivedAt: at };
    });
    await app.db
      .insertInto('offlineScans')
      .values(rows.map((row) => ({ ...row, outcome: 'unknown' as const })))
      .execute();

    const { findings } = await door.look();

    expect(findings.map(({ at }) => at)).toEqual(
      rows
        .map(({ scannedAt }) => scannedAt.getTime())
        .toReversed()
        .slice(0, 200),
    );
  });

  it("is nobody's but the organizer's of the event", async () => {
    const door = await openDoor(1);
    const other = await eventOnSale(app);
    const { eventId } = door;

    expect(await other.visitor.call(checkInDashboard, { eventId })).toMatchObject({
      status: 404,
      body: { msg: eventNotFound },
    });
    expect((await door.front.call(checkInDashboard, { eventId })).status).toBe(401);
    expect((await app.call(checkInDashboard, { eventId })).status).toBe(401);
  });
});

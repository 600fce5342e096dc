/** Check-in devices: entering, naming, leaving, removal, and how fast a grant ends on every server. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { changeAttendantCode, checkGuest, enterAttendantCode } from '#contract/app/check-in.ts';
import { endShift, removeDevice } from '#contract/app/check-in-devices.ts';
import { deleteAccount } from '#contract/app/privacy.ts';
import { CHECK_IN_DEVICES_MAX } from '#domain/limits.ts';
import { shiftEnded } from '#messages/check-in.ts';
import { deviceRemoved } from '#messages/check-in-dashboard.ts';
import { newId } from '#server/platform/ids.ts';
import { lockNamespaces } from '#server/platform/locks.ts';
import { actorOf, organizerOf } from '#tests/support/actor-of.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { devicesAt, grantIdOf } from '#tests/support/check-in-devices.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { attendantOf, eventOnSale, expectOk, PASSWORD } from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { touchDevice } from './enter-device.ts';
import { memberAtDoor, openGrantReader } from './grants.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const UNKNOWN_NUMBER = '1000000000';
const mayCheck = async (visitor: Visitor, eventId: string) =>
  (await visitor.call(checkGuest, { eventId, confirmationNumber: UNKNOWN_NUMBER })).status !== 401;
const namesAt = async (eventId: string) =>
  (await devicesAt(app, eventId)).filter(({ removedAt }) => removedAt === null).map(({ name }) => name);
const enter = (visitor: Visitor, { eventId, attendantCode }: Event, deviceName = '') =>
  visitor.call(enterAttendantCode, { eventId, formData: { attendantCode, deviceName } });
const enterNew = ({ eventId, attendantCode }: Event, name?: string) => attendantOf(app, eventId, attendantCode, name);

async function plantDevices(eventId: string, count: number, change: { endsAt?: Date; removedAt?: Date } = {}) {
  const now = app.now();
  const endsAt = new Date(now.getTime() + 3_600_000);
  const rows = Array.from({ length: count }, (_, index) => {
    const id = newId();
    return { eventId, id, name: `Planted ${index}`, enteredAt: now, seenAt: now, removedAt: null, endsAt, ...change };
  });
  await app.db.insertInto('checkInDevices').values(rows).execute();
}

/** Starts the calls in order while the event's device lock is held, then releases it. */
async function whileDevicesAreLocked<T>(eventId: string, starts: readonly (() => Promise<T>)[]): Promise<T[]> {
  const started = await app.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lockNamespaces.checkInDevices}::int, hashtext(${eventId}))`.execute(tx);
    const started: Promise<T>[] = [];
    for (const start of starts) {
      started.push(start());
      await app.untilBlocked(started.length);
    }
    return started;
  });
  return Promise.all(started);
}

const attendantAt = ({ eventId }: Event, deviceId: string) => ({ eventId, deviceId, isMember: false });

describe('entering the attendant code', () => {
  it('registers the device for twelve hours, under its name or a numbered one', async () => {
    const event = await eventOnSale(app);
    const named = await enterNew(event, '  Gate 2 ');
    await enterNew(event);
    await enterNew(event, 'Gate 2');

    const [first, ...others] = await devicesAt(app, event.eventId);
    expect(first).toMatchObject({ id: grantIdOf(app, named), name: 'Gate 2', pending: 0, removedAt: null });
    expect(others.map(({ name }) => name)).toEqual(['Device 1', 'Gate 2 (2)']);
    expect((first?.endsAt?.getTime() ?? 0) / 1000 - (first?.enteredAt.getTime() ?? 0) / 1000).toBeCloseTo(43_200, -1);
  });

  it('again keeps the device, and its name unless a new one is given', async () => {
    const event = await eventOnSale(app);
    const visitor = await enterNew(event, 'Gate 2');
    const id = grantIdOf(app, visitor);
    await app.advance({ hours: 2 });

    expectOk(await enter(visitor, event));
    expect(await devicesAt(app, event.eventId)).toMatchObject([{ id, name: 'Gate 2' }]);
    expectOk(await enter(visitor, event, 'Gate 3'));
    const [device, ...others] = await devicesAt(app, event.eventId);

    expect(others).toEqual([]);
    expect(device).toMatchObject({ id, name: 'Gate 3' });
    expect(grantIdOf(app, visitor)).toBe(id);
    await app.advance({ hours: 11 });
    expect(await mayCheck(visitor, event.eventId)).toBe(true);
  });

  it('with a wrong code registers no device and changes no name', async () => {
    const event = await eventOnSale(app);
    const visitor = await enterNew(event, 'Gate 2');
    const wrong = { ...event, attendantCode: 'GUESS00000' };

    expect((await enter(visitor, wrong, 'Gate 3')).status).toBe(401);
    expect((await enter(app.visitor(), wrong, 'Gate 4')).status).toBe(401);

    expect(await namesAt(event.eventId)).toEqual(['Gate 2']);
  });

  it('is denied beyond the device limit, except for a device that is already registered', async () => {
    const event = await eventOnSale(app);
    const visitor = await enterNew(event, 'Gate 2');
    await plantDevices(event.eventId, CHECK_IN_DEVICES_MAX - 1);

    expect(await enter(app.visitor(), event)).toMatchObject({ status: 409, body: { code: 'device.too-many' } });
    expectOk(await enter(visitor, event));
  });

  it('does not count expired or removed devices toward the limit', async () => {
    const event = await eventOnSale(app);
    const now = app.now();
    await plantDevices(event.eventId, CHECK_IN_DEVICES_MAX, { endsAt: now });
    await plantDevices(event.eventId, CHECK_IN_DEVICES_MAX, { removedAt: now });

    expectOk(await enter(app.visitor(), event));
  });

  it('is denied once too many devices were removed to cache them all', async () => {
    const event = await eventOnSale(app);
    await plantDevices(event.eventId, 5 * CHECK_IN_DEVICES_MAX, { removedAt: app.now() });

    expect(await enter(app.visitor(), event)).toMatchObject({ status: 409, body: { code: 'device.too-many' } });
  });

  it('admits one of two concurrent devices at the limit, and gives concurrent devices different names', async () => {
    const [full, named] = [await eventOnSale(app), await eventOnSale(app)];
    await plantDevices(full.eventId, CHECK_IN_DEVICES_MAX - 1);
    const two = (event: Event) => [1, 2].map(() => () => enter(app.visitor(), event, 'Gate 2'));

    const atLimit = await whileDevicesAreLocked(full.eventId, two(full));
    const names = await whileDevicesAreLocked(named.eventId, two(named));

    expect(atLimit.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(names.map(({ status }) => status)).toEqual([200, 200]);
    expect((await namesAt(named.eventId)).toSorted()).toEqual(['Gate 2', 'Gate 2 (2)']);
  });

  it('leaves no open device if the code changes concurrently', async () => {
    const [before, after] = [await eventOnSale(app), await eventOnSale(app)];
    const change = ({ visitor, eventId }: Event) => visitor.call(changeAttendantCode, { eventId });
    const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

    const entered = await whileDevicesAreLocked(before.eventId, [
      () => statusOf(enter(app.visitor(), before)),
      () => statusOf(change(before)),
    ]);
    const changed = await whileDevicesAreLocked(after.eventId, [
      () => statusOf(change(after)),
      () => statusOf(enter(app.visitor(), after)),
    ]);

    expect([entered, changed]).toEqual([
      [200, 200],
      [200, 401],
    ]);
    const [device] = await devicesAt(app, before.eventId);
    expect(device?.endsAt?.getTime()).toBeLessThanOrEqual(app.now().getTime());
    expect(await devicesAt(app, after.eventId)).toEqual([]);
  });
});

describe('a device that polls', () => {
  it('is recorded with its number of unsynced scans', async () => {
    const event = await eventOnSale(app);
    const grantId = grantIdOf(app, await enterNew(event, 'Gate 2'));
    await app.advance({ minutes: 5 });

    const seen = await touchDevice(app.deps.db, attendantAt(event, grantId), 7);

    const [row] = await devicesAt(app, event.eventId);
    expect(seen).toEqual({ id: grantId, name: 'Gate 2', endsAt: row?.endsAt });
    expect(row?.pending).toBe(7);
    expect((row?.seenAt.getTime() ?? 0) - (row?.enteredAt.getTime() ?? 0)).toBeGreaterThanOrEqual(300_000);
  });

  it('is unknown once removed, or if it never entered', async () => {
    const event = await eventOnSale(app);
    const visitor = await enterNew(event);
    const grantId = grantIdOf(app, visitor);
    expectOk(await visitor.call(endShift, { eventId: event.eventId }));

    for (const id of [grantId, newId()]) expect(await touchDevice(app.deps.db, attendantAt(event, id), 0)).toBeNull();
    expect(await devicesAt(app, event.eventId)).toHaveLength(1);
  });

  it("can be the organizer's browser without a code, even after its shift ended", async () => {
    const event = await eventOnSale(app);
    const stranger = await eventOnSale(app);
    const { userId } = await organizerOf(app.db, event.eventId);
    const touch = () => touchDevice(app.deps.db, { ...attendantAt(event, userId), isMember: true }, 0);
    const own = { id: userId, name: 'Ada Cooper', endsAt: null };

    expect(await touch()).toEqual(own);
    expectOk(await event.visitor.call(endShift, { eventId: event.eventId }));
    expect(await namesAt(event.eventId)).toEqual([]);
    expect(await touch()).toEqual(own);
    expect(await memberAtDoor(app.deps, await organizerOf(app.db, stranger.eventId), event.eventId)).toBeNull();
    expect(await namesAt(event.eventId)).toEqual(['Ada Cooper']);
  });
});

describe('a member at the door [ROLE-3]', () => {
  const touchAs = async ({ eventId }: Event, { email }: { email: string }) => {
    const { userId } = await actorOf(app.db, email);
    return touchDevice(app.deps.db, { eventId, deviceId: userId, isMember: true }, 0);
  };

  it('is a device under their own name, which no attendant can take', async () => {
    const event = await eventOnSale(app);
    const helper = await newMember(app, event, 'check-in', [event.eventId]);
    const [helperName = ''] = helper.email.split('@');

    await touchAs(event, event);
    await touchAs(event, helper);
    await enterNew(event, 'ada cooper');

    expect((await namesAt(event.eventId)).toSorted()).toEqual(['Ada Cooper', 'ada cooper (2)', helperName].toSorted());
  });

  it('takes no place of an attendant', async () => {
    const event = await eventOnSale(app);
    await touchAs(event, event);
    await plantDevices(event.eventId, CHECK_IN_DEVICES_MAX - 1);

    expectOk(await enter(app.visitor(), event));
    expect(await enter(app.visitor(), event)).toMatchObject({ status: 409, body: { code: 'device.too-many' } });
  });

  it('leaves no name behind when their account is deleted', async () => {
    const event = await eventOnSale(app);
    const helper = await newMember(app, event, 'check-in', [event.eventId]);
    await touchAs(event, helper);

    expectOk(await helper.visitor.call(deleteAccount, { password: PASSWORD }));

    expect(await devicesAt(app, event.eventId)).toEqual([]);
  });
});

describe('a device whose shift ends', () => {
  it('loses its grant, even in a copied cookie, and keeps those for other events', async () => {
    const [event, other] = [await eventOnSale(app), await eventOnSale(app)];
    const visitor = await enterNew(event);
    expectOk(await enter(visitor, other));
    const copy = app.visitor();
    copy.cookies.set('attendant', visitor.cookies.get('attendant') ?? '');

    const reply = await visitor.call(endShift, { eventId: event.eventId });
    await app.deps.changes.catchUp();

    expect(reply).toMatchObject({ status: 200, body: { msg: shiftEnded } });
    expect(reply.headers.getSetCookie().join()).toMatch(/^attendant=.*Max-Age=4(?:3200|319\d);.*HttpOnly/);
    expect([await mayCheck(visitor, event.eventId), await mayCheck(copy, event.eventId)]).toEqual([false, false]);
    expect([await mayCheck(visitor, other.eventId), await mayCheck(copy, other.eventId)]).toEqual([true, true]);
    expectOk(await visitor.call(endShift, { eventId: other.eventId }));
    expect(visitor.cookies.has('attendant')).toBe(false);
  });
});

describe('a device that is removed', () => {
  it('is denied, and can only come back with the code as a new device', async () => {
    const event = await eventOnSale(app);
    const [visitor, neighbor] = [await enterNew(event, 'Gate 2'), await enterNew(event, 'Gate 3')];
    const deviceId = grantIdOf(app, visitor);
    expect(await mayCheck(visitor, event.eventId)).toBe(true);

    for (let times = 0; times < 2; times++)
      expect(await event.visitor.call(removeDevice, { eventId: event.eventId, deviceId })).toMatchObject({
        status: 200,
        body: { msg: deviceRemoved },
      });
    await app.deps.changes.catchUp();

    expect([await mayCheck(visitor, event.eventId), await mayCheck(neighbor, event.eventId)]).toEqual([false, true]);
    expectOk(await enter(visitor, event));
    expect(grantIdOf(app, visitor)).not.toBe(deviceId);
    expect(await mayCheck(visitor, event.eventId)).toBe(true);
    const actions = sql`select action, subject from audit_events 
                          where event_id = ${event.eventId} and action <> 'create-event'`;
    expect((await actions.execute(app.db)).rows).toEqual([{ action: 'remove-check-in-device', subject: deviceId }]);
  });
});

describe('another server of the same installation', () => {
  const ENDS_WITHIN_MS = 5_000;
  const deafChanges = { isLive: () => true, onChange: () => {}, catchUp: async () => {} };

  it.each([
    ['the code is changed', (event: Event) => event.visitor.call(changeAttendantCode, { eventId: event.eventId })],
    [
      'the device is removed',
      (event: Event, deviceId: string) => event.visitor.call(removeDevice, { eventId: event.eventId, deviceId }),
    ],
    [
      'the device leaves',
      (event: Event, _id: string, visitor: Visitor) => visitor.call(endShift, { eventId: event.eventId }),
    ],
  ])('stops accepting a grant within five seconds after %s, even if the notification is lost', async (_what, end) => {
    const event = await eventOnSale(app);
    const visitor = await enterNew(event);
    const cookie = visitor.cookies.get('attendant');
    const notified = openGrantReader(anotherServer(app.deps));
    const unnotified = openGrantReader({ ...anotherServer(app.deps), changes: deafChanges });
    const attendant = attendantAt(event, grantIdOf(app, visitor));
    const watch = freezeMonotonicClock();
    for (const read of [notified, unnotified]) expect(await read(cookie, event.eventId)).toEqual(attendant);

    expect((await end(event, attendant.deviceId, visitor)).status).toBe(200);
    await app.deps.changes.catchUp();

    expect(await notified(cookie, event.eventId)).toBeNull();
    expect(await unnotified(cookie, event.eventId)).toEqual(attendant);
    watch.advance(ENDS_WITHIN_MS);
    expect(await unnotified(cookie, event.eventId)).toBeNull();
  });
});

/** Check-in devices, called without access or after removal. */
import { beforeAll, describe, expect, it } from 'vitest';
import { checkGuest, enterAttendantCode } from '#contract/app/check-in.ts';
import { checkInDashboard, endShift, removeDevice } from '#contract/app/check-in-devices.ts';
import { errorText } from '#messages/errors.ts';

import { newId, newPublicId } from '#server/platform/ids.ts';
import { organizerOf } from '#tests/support/actor-of.ts';
import { devicesAt, grantIdOf } from '#tests/support/check-in-devices.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { attendantOf, eventOnSale, expectOk } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

type Event = Awaited<ReturnType<typeof eventOnSale>>;
let mine: Event;
let theirs: Event;
beforeAll(async () => {
  [mine, theirs] = [await eventOnSale(app), await eventOnSale(app)];
});

const deviceAt = ({ eventId, attendantCode }: Event) => attendantOf(app, eventId, attendantCode);
const removedAtOf = async ({ eventId }: Event, device: Visitor) =>
  (await devicesAt(app, eventId)).find(({ id }) => id === grantIdOf(app, device))?.removedAt;
const remove = (by: Visitor, input: unknown) => by.send(removeDevice, input);

describe('POST /api/protected/remove-check-in-device', () => {
  it('answers as for an unknown device or event where another organizer has it', async () => {
    const [device, elsewhere] = [await deviceAt(theirs), await deviceAt(mine)];
    const [id, ownId] = [grantIdOf(app, device), grantIdOf(app, elsewhere)];
    const answerTo = async (input: { eventId: string; deviceId: string }) => {
      const { status, body } = await remove(mine.visitor, input);
      return { status, body };
    };

    for (const deviceId of [id, newId()])
      expect(await answerTo({ eventId: mine.eventId, deviceId })).toMatchObject({
        status: 404,
        body: errorBody('device.not-found'),
      });
    for (const eventId of [theirs.eventId, newPublicId(), ''])
      for (const deviceId of [id, ownId])
        expect(await answerTo({ eventId, deviceId })).toMatchObject({
          status: 404,
          body: errorBody('event.not-found'),
        });
    expect([await removedAtOf(theirs, device), await removedAtOf(mine, elsewhere)]).toEqual([null, null]);
  });

  it.each([['x'], [1], [null], [['a']], [{ id: 'a' }], ["' or true --"]])(
    'rejects the device id %j',
    async (deviceId) => {
      expect((await remove(mine.visitor, { eventId: mine.eventId, deviceId })).status).toBe(400);
    },
  );

  it('is not available to attendants', async () => {
    const [device, otherDevice] = [await deviceAt(mine), await deviceAt(mine)];

    const reply = await remove(device, { eventId: mine.eventId, deviceId: grantIdOf(app, otherDevice) });

    expect(reply.status).toBe(401);
    expect(await removedAtOf(mine, otherDevice)).toBeNull();
  });

  it('does not claim to remove the organizer, who needs no code', async () => {
    const own = { eventId: mine.eventId, name: 'Organizer', enteredAt: app.now(), seenAt: app.now() };
    const { userId } = await organizerOf(app.db, mine.eventId);
    await app.db
      .insertInto('checkInDevices')
      .values({ ...own, id: userId, endsAt: null, removedAt: null })
      .execute();

    const reply = await remove(mine.visitor, { eventId: mine.eventId, deviceId: userId });

    expect([reply.status, reply.body]).toEqual([409, expect.objectContaining({ code: 'device.own-browser' })]);
  });
});

describe('POST /api/public/leave-door', () => {
  it('signs a device out of its own event only', async () => {
    const [device, otherDevice] = [await deviceAt(mine), await deviceAt(theirs)];

    const elsewhere = await device.send(endShift, { eventId: theirs.eventId });
    const twice = await device.send(endShift, {
      eventId: mine.eventId,
      grantId: grantIdOf(app, otherDevice),
      deviceId: grantIdOf(app, otherDevice),
    });

    expect([elsewhere.status, elsewhere.body]).toEqual([
      401,
      expect.objectContaining({ code: 'attendant-code.missing' }),
    ]);
    expect(twice.status).toBe(200);
    expect(await removedAtOf(theirs, otherDevice)).toBeNull();
  });

  it('rejects another site', async () => {
    const device = await deviceAt(mine);
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };

    expect((await device.send(endShift, { eventId: mine.eventId }, headers)).status).toBe(403);
    expect(await removedAtOf(mine, device)).toBeNull();
  });
});

describe('the cookie of a removed device', () => {
  it('grants nothing, is not renewed, and stays invalid after the device signs in again', async () => {
    const device = await deviceAt(mine);
    const removedId = grantIdOf(app, device);
    const kept = device.cookies.get('attendant') ?? '';
    expectOk(await remove(mine.visitor, { eventId: mine.eventId, deviceId: removedId }));
    await app.deps.changes.catchUp();

    const check = () => device.call(checkGuest, { eventId: mine.eventId, confirmationNumber: '1000000000' });
    expect((await check()).status).toBe(401);
    expect((await device.call(endShift, { eventId: mine.eventId })).status).toBe(401);
    const { eventId, attendantCode } = mine;
    expectOk(await device.call(enterAttendantCode, { eventId, formData: { attendantCode } }));
    expect((await check()).status).toBe(404);
    device.cookies.set('attendant', kept);
    expect((await check()).status).toBe(401);
  });
});

describe('GET /api/protected/door-view/:eventId', () => {
  it("answers for another organizer's event as for an unknown one, and reveals neither code nor names", async () => {
    for (const eventId of [theirs.eventId, newPublicId(), '..%2f', 'null']) {
      const reply = await mine.visitor.send(checkInDashboard, { eventId });
      expect([reply.status, reply.body]).toEqual([404, expect.objectContaining({ code: 'event.not-found' })]);
    }
  });
});

describe('the name of a device', () => {
  const enterAs = (deviceName: unknown) => {
    const visitor = app.visitor();
    const formData = { attendantCode: theirs.attendantCode, deviceName };
    return visitor.send(enterAttendantCode, { eventId: theirs.eventId, formData });
  };
  const lastName = async () => (await devicesAt(app, theirs.eventId)).at(-1)?.name;

  it.each([
    ['Gate\r\nSet-Cookie: x', 'Gate Set-Cookie: x'],
    ['\u202eelddim\u202c', 'elddim'],
    ['\u0007\u001b[31mBell', '[31mBell'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ["'); drop table x; --", "'); drop table x; --"],
    ['<img src=x onerror=a()>', '<img src=x onerror=a()>'],
    ['Organizer', 'Organizer (2)'],
    ['🎪'.repeat(15), '🎪'.repeat(15)],
  ])('%j is stored as %j', async (given, name) => {
    expect((await enterAs(given)).status).toBe(200);
    expect(await lastName()).toBe(name);
  });

  it('that is invisible counts as missing', async () => {
    expect((await enterAs('\u200b \u2060')).status).toBe(200);
    expect(await lastName()).toMatch(/^Device \d+$/);
  });

  it.each([
    ['a megabyte', 'x'.repeat(1024 * 1024), 413, errorText('request.too-large')],
    ['one letter too many', 'x'.repeat(31), 400, expect.stringContaining('30 characters or less')],
    ['a zero', 'Gate\0', 400, errorText('request.unreadable')],
    ['half a surrogate pair', 'Gate \ud83c', 400, errorText('request.unreadable')],
    ['a number', 5, 400, expect.any(String)],
    ['a list', ['Gate'], 400, expect.any(String)],
    ['an object', { $ne: '' }, 400, expect.any(String)],
  ])('is not %s', async (_what, given, status, msg) => {
    const before = await devicesAt(app, theirs.eventId);

    const reply = await enterAs(given);

    expect([reply.status, reply.body]).toEqual([status, expect.objectContaining({ msg })]);
    expect(await devicesAt(app, theirs.eventId)).toEqual(before);
  });
});

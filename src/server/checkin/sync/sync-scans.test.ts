/** Offline scans: each is evaluated once, against the state of the ticket when it is synced. */
import { randomUUID } from 'node:crypto';
import { sql, type Updateable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest, enterAttendantCode } from '#contract/app/check-in.ts';
import { type OfflineScan, syncScans } from '#contract/app/check-in-devices.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { removeMember } from '#contract/app/team.ts';
import type { Schema } from '#server/platform/schema.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { eventWithTwoDevices, grantIdOf } from '#tests/support/check-in-devices.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { eventOnSale, expectOk } from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const UNKNOWN_NUMBER = '1000000000';

let app: TestApp;
let strict: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  strict = await startTestApp({ rateLimitScale: 1 });
});
afterAll(async () => {
  await app.close();
  await strict.close();
});

const twoDevices = (quantity?: number, testApp = app) => eventWithTwoDevices(testApp, quantity);

const scanOf = (confirmationNumber: string, at = app.now().getTime() - 60_000): OfflineScan => ({
  scanId: randomUUID(),
  confirmationNumber,
  at,
});

async function sync(device: Visitor, eventId: string, scans: OfflineScan[]): Promise<string[]> {
  const { results } = expectOk(await device.call(syncScans, { eventId, scans }));
  expect(results.map(({ scanId }) => scanId)).toEqual(scans.map(({ scanId }) => scanId));
  return results.map(({ result }) => result);
}

const ticketOf = (eventId: string, code: string) =>
  app.db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('confirmationNumber', '=', code)
    .select(['state', 'scannedAt', 'scannedBy', 'scanId', 'issuedAt'])
    .executeTakeFirstOrThrow();

/** Bypasses the triggers that guard state changes. */
const setTickets = (eventId: string, change: Updateable<Schema['tickets']>) =>
  app.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = 'replica'`.execute(tx);
    await tx.updateTable('tickets').set(change).where('eventId', '=', eventId).execute();
  });

const recordsOf = (eventId: string) =>
  app.db.selectFrom('offlineScans').where('eventId', '=', eventId).selectAll().execute();

describe('a synced scan', () => {
  it("admits its guest, at the device's time", async () => {
    const { eventId, code, device } = await twoDevices();
    await app.advance({ hours: 1 });
    const scan = scanOf(code);

    expect(await sync(device, eventId, [scan])).toEqual(['first']);

    const deviceId = grantIdOf(app, device);
    expect(await ticketOf(eventId, code)).toMatchObject({
      state: 'scanned',
      scannedAt: new Date(scan.at),
      scannedBy: deviceId,
      scanId: scan.scanId,
    });
    expect(await recordsOf(eventId)).toMatchObject([
      { id: scan.scanId, deviceId, scannedAt: new Date(scan.at), result: 'first' },
    ]);
    expect((await device.call(checkGuest, { eventId, confirmationNumber: code })).status).toBe(409);
  });

  it.each([
    ['ahead', (now: number) => now + 86_400_000],
    ['beyond the range of dates', () => Number.MAX_SAFE_INTEGER],
  ])('is dated now at the latest, by a clock that is %s', async (_what, at) => {
    const { eventId, code, device } = await twoDevices();

    expect(await sync(device, eventId, [scanOf(code, at(app.now().getTime()))])).toEqual(['first']);

    const { scannedAt } = await ticketOf(eventId, code);
    expect(Math.abs(Number(scannedAt) - app.now().getTime())).toBeLessThan(20_000);
    expect(Number(scannedAt)).toBeLessThanOrEqual(app.now().getTime());
  });

  it.each([[0], [Number.MIN_SAFE_INTEGER]])(
    "is dated at the ticket's sale at the earliest, by a clock at %d",
    async (at) => {
      const { eventId, code, device } = await twoDevices();

      expect(await sync(device, eventId, [scanOf(code, at), scanOf(UNKNOWN_NUMBER, at)])).toEqual(['first', 'unknown']);

      const { scannedAt, issuedAt } = await ticketOf(eventId, code);
      expect(scannedAt).toEqual(issuedAt);
    },
  );

  it.each<[string, Updateable<Schema['tickets']>, string]>([
    ['is being refunded', { state: 'refunding' }, 'refunded'],
    ['was refunded', { state: 'refunded' }, 'refunded'],
    ['is void', { state: 'void' }, 'refunded'],
    ['is disputed', { disputedAt: new Date() }, 'disputed'],
  ])('of a ticket that %s is a conflict and changes nothing', async (_what, change, result) => {
    const { eventId, code, device } = await twoDevices();
    await setTickets(eventId, change);
    const before = await ticketOf(eventId, code);

    expect(await sync(device, eventId, [scanOf(code)])).toEqual([result]);

    expect(await ticketOf(eventId, code)).toEqual(before);
    expect(await recordsOf(eventId)).toMatchObject([{ result }]);
  });

  it('at a cancelled event is a conflict, before and after the refunds', async () => {
    const { visitor, eventId, codes, device } = await twoDevices(2);
    const [early = '', late = ''] = codes;
    await app.db.updateTable('events').set({ cancelledAt: app.now() }).where('id', '=', eventId).execute();
    expect(await sync(device, eventId, [scanOf(early)])).toEqual(['cancelled']);

    await app.db.updateTable('events').set({ cancelledAt: null }).where('id', '=', eventId).execute();
    expectOk(await visitor.call(cancelEvent, { eventId }));
    await app.settle();

    expect(await ticketOf(eventId, late)).toMatchObject({ state: 'refunded' });
    expect(await sync(device, eventId, [scanOf(late)])).toEqual(['cancelled']);
  });

  it('of an unknown number is a conflict, and the number is not stored', async () => {
    const { eventId, device } = await twoDevices();

    expect(await sync(device, eventId, [scanOf(UNKNOWN_NUMBER)])).toEqual(['unknown']);

    expect(await recordsOf(eventId)).toMatchObject([{ result: 'unknown', ticketId: null }]);
    expect(JSON.stringify(await recordsOf(eventId))).not.toContain(UNKNOWN_NUMBER);
  });

  it('of a ticket that was already admitted is a conflict only if another device admitted it', async () => {
    const { eventId, codes, device, other } = await twoDevices(2);
    for (const confirmationNumber of codes) expectOk(await device.call(checkGuest, { eventId, confirmationNumber }));
    const before = await ticketOf(eventId, codes[0] ?? '');

    expect(await sync(device, eventId, [scanOf(codes[0] ?? '')])).toEqual(['again']);
    expect(
      await sync(
        other,
        eventId,
        codes.map((code) => scanOf(code)),
      ),
    ).toEqual(['double', 'double']);

    expect(await ticketOf(eventId, codes[0] ?? '')).toEqual(before);
  });

  it('is the first one if the server admitted the guest by it, but the response was lost', async () => {
    const { eventId, code, device } = await twoDevices();
    const scan = scanOf(code);
    expectOk(await device.call(checkGuest, { eventId, confirmationNumber: code, scanId: scan.scanId }));
    const before = await ticketOf(eventId, code);

    expect(await sync(device, eventId, [scan])).toEqual(['first']);

    expect(await ticketOf(eventId, code)).toEqual(before);
  });

  it('is evaluated in chronological order within its batch', async () => {
    const { eventId, code, device } = await twoDevices();
    const [later, earlier] = [scanOf(code), scanOf(code, app.now().getTime() - 120_000)];

    expect(await sync(device, eventId, [later, earlier, later])).toEqual(['again', 'first', 'again']);

    expect(await ticketOf(eventId, code)).toMatchObject({ scanId: earlier.scanId });
  });

  it('is rejected without a valid grant for the event, and leaves no record', async () => {
    const { visitor, eventId, code, device } = await twoDevices();
    const { visitor: foreign } = await eventOnSale(app);
    await app.db.updateTable('events').set({ attendantCodeVersion: 2 }).where('id', '=', eventId).execute();
    await app.deps.changes.catchUp();

    for (const stranger of [app.visitor(), foreign, device])
      expect(await stranger.call(syncScans, { eventId, scans: [scanOf(code)] })).toMatchObject({
        status: 401,
        body: { code: 'attendant-code.missing' },
      });

    expect(await recordsOf(eventId)).toEqual([]);
    expect(await sync(visitor, eventId, [scanOf(code)])).toEqual(['first']);
  });
});

describe('the offline scans of a member who was removed', () => {
  it('wait for the attendant code [ORG-4]', async () => {
    const event = await twoDevices(2);
    const { eventId, codes } = event;
    const helper = await newMember(app, event, 'check-in', [eventId]);
    const { userId } = await actorOf(app.db, helper.email);
    const scans = codes.map((code) => scanOf(code));
    expect(await sync(helper.visitor, eventId, scans.slice(0, 1))).toEqual(['first']);

    expectOk(await event.visitor.call(removeMember, { userId }));
    await app.deps.changes.catchUp();
    expect(await helper.visitor.call(syncScans, { eventId, scans })).toMatchObject({
      status: 401,
      body: { code: 'attendant-code.missing' },
    });
    expect(await recordsOf(eventId)).toHaveLength(1);

    const { attendantCode } = event;
    expectOk(await helper.visitor.call(enterAttendantCode, { eventId, formData: { attendantCode, deviceName: '' } }));
    expect(await sync(helper.visitor, eventId, scans)).toEqual(['first', 'first']);
    expect(await recordsOf(eventId)).toHaveLength(2);
  });
});

describe('a scan that is synced twice', () => {
  it('gets the same result, whatever happened to the ticket since', async () => {
    const { eventId, codes, device, other } = await twoDevices(2);
    const [first = '', second = ''] = codes;
    const scans = [scanOf(first), scanOf(second), scanOf(UNKNOWN_NUMBER)];
    await sync(other, eventId, [scanOf(second)]);
    const answer = await sync(device, eventId, scans);
    await setTickets(eventId, { state: 'refunded' });

    expect(answer).toEqual(['first', 'double', 'unknown']);
    expect(await sync(device, eventId, scans.toReversed())).toEqual(answer.toReversed());
    expect(await recordsOf(eventId)).toHaveLength(4);
  });
});

describe('made-up numbers', () => {
  const madeUp = (count: number) => Array.from({ length: count }, (_, n) => scanOf(String(1_000_000_001 + n)));

  it('count toward the check-in rate limit before anything is recorded; real and repeated ones do not', async () => {
    const { eventId, code, device, other } = await twoDevices(1, strict);
    const send = (visitor: Visitor, scans: OfflineScan[]) => visitor.call(syncScans, { eventId, scans });
    const recorded = () => strict.db.selectFrom('offlineScans').where('eventId', '=', eventId).select('id').execute();
    const repeated = madeUp(90);

    for (let time = 0; time < 3; time++) expect((await send(device, repeated)).status).toBe(200);
    expect((await send(device, madeUp(90))).status).toBe(200);
    const late = await send(device, [...madeUp(2), scanOf(code)]);

    expect(late).toMatchObject({ status: 429, body: { code: 'rate-limit.exceeded' } });
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await recorded()).toHaveLength(180);
    expect((await device.call(checkGuest, { eventId, confirmationNumber: UNKNOWN_NUMBER })).status).toBe(429);
    expect(await sync(device, eventId, [scanOf(code)])).toEqual(['first']);
    expect((await send(other, madeUp(2))).status).toBe(200);
  });

  it('pass as a batch while the limit is not reached yet', async () => {
    const { eventId, device } = await twoDevices(1, strict);
    const send = (scans: OfflineScan[]) => device.call(syncScans, { eventId, scans });
    for (let guess = 0; guess < 179; guess++)
      await strict.deps.rateLimiter.consume('check-in-code', grantIdOf(strict, device));

    expect((await send(madeUp(100))).status).toBe(200);
    expect((await send(madeUp(1))).status).toBe(429);
  });

  it('are rate limited per sync request, like real ones', async () => {
    const { eventId, code, device } = await twoDevices(1, strict);
    const scan = scanOf(code);

    const answers = await Promise.all(
      Array.from({ length: 61 }, () => device.call(syncScans, { eventId, scans: [scan] })),
    );

    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});

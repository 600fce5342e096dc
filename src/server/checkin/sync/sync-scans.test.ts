/** Scans that a device decided alone: each is judged once, by what the ticket is when it is handed in. */
import { randomUUID } from 'node:crypto';
import { sql, type Updateable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest, grantMissing } from '#contract/admission.ts';
import { type OfflineScan, syncScans } from '#contract/door.ts';
import { cancelEvent } from '#contract/events.ts';
import { tooManyAttempts } from '#contract/sentences.ts';
import type { Schema } from '#server/platform/schema.ts';
import { eventWithTwoDevices, grantIdOf } from '#tests/support/check-in-devices.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const NOBODYS = '1000000000';

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

const doors = (quantity?: number, place = app) => eventWithTwoDevices(place, quantity);

/** A minute ago, unless it is said. */
const scanOf = (confirmationNumber: string, at = app.now().getTime() - 60_000): OfflineScan => ({
  scanId: randomUUID(),
  confirmationNumber,
  at,
});

async function syncAll(device: Visitor, eventId: string, scans: OfflineScan[]): Promise<string[]> {
  const { outcomes } = expectOk(await device.call(syncScans, { eventId, scans }));
  expect(outcomes.map(({ scanId }) => scanId)).toEqual(scans.map(({ scanId }) => scanId));
  return outcomes.map(({ outcome }) => outcome);
}

const ticketOf = (eventId: string, code: string) =>
  app.db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('confirmationNumber', '=', code)
    .select(['state', 'scannedAt', 'scannedBy', 'scanId', 'issuedAt'])
    .executeTakeFirstOrThrow();

/** Whatever led there: the triggers that ask for a reason are not asked. */
const setTickets = (eventId: string, change: Updateable<Schema['tickets']>) =>
  app.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = 'replica'`.execute(tx);
    await tx.updateTable('tickets').set(change).where('eventId', '=', eventId).execute();
  });

const recordsOf = (eventId: string) =>
  app.db.selectFrom('offlineScans').where('eventId', '=', eventId).selectAll().execute();

describe('a scan that is handed in', () => {
  it('brings its guest in, at the time of the device', async () => {
    const { eventId, code, device } = await doors();
    await app.advance({ hours: 1 });
    const scan = scanOf(code);

    expect(await syncAll(device, eventId, [scan])).toEqual(['first']);

    const deviceId = grantIdOf(app, device);
    expect(await ticketOf(eventId, code)).toMatchObject({
      state: 'scanned',
      scannedAt: new Date(scan.at),
      scannedBy: deviceId,
      scanId: scan.scanId,
    });
    expect(await recordsOf(eventId)).toMatchObject([
      { id: scan.scanId, deviceId, scannedAt: new Date(scan.at), outcome: 'first' },
    ]);
    expect((await device.call(checkGuest, { eventId, confirmationNumber: code })).status).toBe(409);
  });

  it.each([
    ['ahead', (now: number) => now + 86_400_000],
    ['beyond what any calendar holds', () => Number.MAX_SAFE_INTEGER],
  ])('came in now at the latest, by a clock that is %s', async (_what, at) => {
    const { eventId, code, device } = await doors();

    expect(await syncAll(device, eventId, [scanOf(code, at(app.now().getTime()))])).toEqual(['first']);

    const { scannedAt } = await ticketOf(eventId, code);
    expect(Math.abs(Number(scannedAt) - app.now().getTime())).toBeLessThan(20_000);
    expect(Number(scannedAt)).toBeLessThanOrEqual(app.now().getTime());
  });

  it.each([[0], [Number.MIN_SAFE_INTEGER]])('came in when the ticket was sold at the earliest, at %d', async (at) => {
    const { eventId, code, device } = await doors();

    expect(await syncAll(device, eventId, [scanOf(code, at), scanOf(NOBODYS, at)])).toEqual(['first', 'unknown']);

    const { scannedAt, issuedAt } = await ticketOf(eventId, code);
    expect(scannedAt).toEqual(issuedAt);
  });

  it.each<[string, Updateable<Schema['tickets']>, string]>([
    ['is being refunded', { state: 'refunding' }, 'refunded'],
    ['was refunded', { state: 'refunded' }, 'refunded'],
    ['is void', { state: 'void' }, 'refunded'],
    ['is disputed', { disputedAt: new Date() }, 'disputed'],
  ])('of a ticket that %s is a finding, and changes nothing', async (_what, change, outcome) => {
    const { eventId, code, device } = await doors();
    await setTickets(eventId, change);
    const before = await ticketOf(eventId, code);

    expect(await syncAll(device, eventId, [scanOf(code)])).toEqual([outcome]);

    expect(await ticketOf(eventId, code)).toEqual(before);
    expect(await recordsOf(eventId)).toMatchObject([{ outcome }]);
  });

  it('at a cancelled event is a finding, before and after the money has gone back', async () => {
    const { visitor, eventId, codes, device } = await doors(2);
    const [early = '', late = ''] = codes;
    await app.db.updateTable('events').set({ cancelledAt: app.now() }).where('id', '=', eventId).execute();
    expect(await syncAll(device, eventId, [scanOf(early)])).toEqual(['cancelled']);

    await app.db.updateTable('events').set({ cancelledAt: null }).where('id', '=', eventId).execute();
    expectOk(await visitor.call(cancelEvent, { eventId }));
    await app.settle();

    expect(await ticketOf(eventId, late)).toMatchObject({ state: 'refunded' });
    expect(await syncAll(device, eventId, [scanOf(late)])).toEqual(['cancelled']);
  });

  it('of a number that nobody has is a finding, and the number is kept by nobody', async () => {
    const { eventId, device } = await doors();

    expect(await syncAll(device, eventId, [scanOf(NOBODYS)])).toEqual(['unknown']);

    expect(await recordsOf(eventId)).toMatchObject([{ outcome: 'unknown', ticketId: null }]);
    expect(JSON.stringify(await recordsOf(eventId))).not.toContain(NOBODYS);
  });

  it('of a ticket that this device had let in is no finding, and of one that another had is', async () => {
    const { eventId, codes, device, other } = await doors(2);
    for (const confirmationNumber of codes) expectOk(await device.call(checkGuest, { eventId, confirmationNumber }));
    const before = await ticketOf(eventId, codes[0] ?? '');

    expect(await syncAll(device, eventId, [scanOf(codes[0] ?? '')])).toEqual(['again']);
    expect(
      await syncAll(
        other,
        eventId,
        codes.map((code) => scanOf(code)),
      ),
    ).toEqual(['double', 'double']);

    expect(await ticketOf(eventId, codes[0] ?? '')).toEqual(before);
  });

  it('is the first where the server had let the guest in by it, and the answer was lost', async () => {
    const { eventId, code, device } = await doors();
    const scan = scanOf(code);
    expectOk(await device.call(checkGuest, { eventId, confirmationNumber: code, scanId: scan.scanId }));
    const before = await ticketOf(eventId, code);

    expect(await syncAll(device, eventId, [scan])).toEqual(['first']);

    expect(await ticketOf(eventId, code)).toEqual(before);
  });

  it('is judged by when it was made among those that come with it', async () => {
    const { eventId, code, device } = await doors();
    const [later, earlier] = [scanOf(code), scanOf(code, app.now().getTime() - 120_000)];

    expect(await syncAll(device, eventId, [later, earlier, later])).toEqual(['again', 'first', 'again']);

    expect(await ticketOf(eventId, code)).toMatchObject({ scanId: earlier.scanId });
  });

  it('is refused to whoever is not at this door, and leaves nothing behind', async () => {
    const { visitor, eventId, code, device } = await doors();
    const { visitor: foreign } = await eventOnSale(app);
    await app.db.updateTable('events').set({ attendantCodeVersion: 2 }).where('id', '=', eventId).execute();
    await app.deps.changes.caughtUp();

    for (const stranger of [app.visitor(), foreign, device])
      expect(await stranger.call(syncScans, { eventId, scans: [scanOf(code)] })).toMatchObject({
        status: 401,
        body: { msg: grantMissing },
      });

    expect(await recordsOf(eventId)).toEqual([]);
    expect(await syncAll(visitor, eventId, [scanOf(code)])).toEqual(['first']);
  });
});

describe('a scan that is handed in twice', () => {
  it('is answered as it was, whatever has become of the ticket since', async () => {
    const { eventId, codes, device, other } = await doors(2);
    const [first = '', second = ''] = codes;
    const scans = [scanOf(first), scanOf(second), scanOf(NOBODYS)];
    await syncAll(other, eventId, [scanOf(second)]);
    const answer = await syncAll(device, eventId, scans);
    await setTickets(eventId, { state: 'refunded' });

    expect(answer).toEqual(['first', 'double', 'unknown']);
    expect(await syncAll(device, eventId, scans.toReversed())).toEqual(answer.toReversed());
    expect(await recordsOf(eventId)).toHaveLength(4);
  });
});

describe('numbers that somebody makes up', () => {
  const madeUp = (count: number) => Array.from({ length: count }, (_, n) => scanOf(String(1_000_000_001 + n)));

  it('count as they do at a check, before anything is recorded; real ones never, and a repeated scan only once', async () => {
    const { eventId, code, device, other } = await doors(1, strict);
    const send = (visitor: Visitor, scans: OfflineScan[]) => visitor.call(syncScans, { eventId, scans });
    const recorded = () => strict.db.selectFrom('offlineScans').where('eventId', '=', eventId).select('id').execute();
    const some = madeUp(90);

    for (let time = 0; time < 3; time++) expect((await send(device, some)).status).toBe(200);
    expect((await send(device, madeUp(90))).status).toBe(200);
    const late = await send(device, [...madeUp(2), scanOf(code)]);

    expect(late).toMatchObject({ status: 429, body: { msg: tooManyAttempts } });
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await recorded()).toHaveLength(180);
    expect((await device.call(checkGuest, { eventId, confirmationNumber: NOBODYS })).status).toBe(429);
    expect(await syncAll(device, eventId, [scanOf(code)])).toEqual(['first']);
    expect((await send(other, madeUp(2))).status).toBe(200);
  });

  it('get through some at a time, however many wait', async () => {
    const { eventId, device } = await doors(1, strict);
    const send = (scans: OfflineScan[]) => device.call(syncScans, { eventId, scans });
    for (let guess = 0; guess < 179; guess++) await strict.deps.tries.spend('door-code', grantIdOf(strict, device));

    expect((await send(madeUp(100))).status).toBe(200);
    expect((await send(madeUp(1))).status).toBe(429);
  });

  it('cannot be handed in endlessly, real ones neither', async () => {
    const { eventId, code, device } = await doors(1, strict);
    const scan = scanOf(code);

    const answers = await Promise.all(
      Array.from({ length: 61 }, () => device.call(syncScans, { eventId, scans: [scan] })),
    );

    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});

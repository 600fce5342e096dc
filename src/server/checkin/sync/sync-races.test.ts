/** Syncing scans concurrently with other changes of their tickets. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { type OfflineScan, syncScans } from '#contract/app/check-in-devices.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { eventWithTwoDevices } from '#tests/support/check-in-devices.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { expectOk } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const UNKNOWN_NUMBER = '1000000000';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const twoDevices = (quantity?: number) => eventWithTwoDevices(app, quantity);

const scanOf = (confirmationNumber: string): OfflineScan => ({
  scanId: randomUUID(),
  confirmationNumber,
  at: app.now().getTime() - 60_000,
});

async function sync(device: Visitor, eventId: string, scans: OfflineScan[]): Promise<string[]> {
  const { results } = expectOk(await device.call(syncScans, { eventId, scans }));
  return results.map(({ result }) => result);
}

const ticketOf = (eventId: string, code: string) =>
  app.db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('confirmationNumber', '=', code)
    .select(['state', 'scannedAt', 'scanId'])
    .executeTakeFirstOrThrow();

const recordsOf = (eventId: string) =>
  app.db.selectFrom('offlineScans').where('eventId', '=', eventId).selectAll().execute();

describe('a scan that is synced twice', () => {
  it('concurrently is evaluated once', async () => {
    const { eventId, codes, device } = await twoDevices(3);
    const scans = [...codes, UNKNOWN_NUMBER].map((code) => scanOf(code));

    const answers = await raceFor(
      app,
      'tickets',
      eventId,
      [scans, scans.toReversed()].map((order) => () => sync(device, eventId, order)),
    );

    expect(answers).toEqual([
      ['first', 'first', 'first', 'unknown'],
      ['unknown', 'first', 'first', 'first'],
    ]);
    expect(await recordsOf(eventId)).toHaveLength(4);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('concurrently with an unknown number is recorded once', async () => {
    const { eventId, device } = await twoDevices();
    const scan = scanOf(UNKNOWN_NUMBER);

    const { both } = await app.db.transaction().execute(async (tx) => {
      await sql`lock table offline_scans in share mode`.execute(tx);
      const both = [sync(device, eventId, [scan]), sync(device, eventId, [scan])];
      await app.untilBlocked(2);
      return { both };
    });

    expect(await Promise.all(both)).toEqual([['unknown'], ['unknown']]);
    expect(await recordsOf(eventId)).toHaveLength(1);
  });
});

describe('two devices that sync the same tickets concurrently', () => {
  it('admit each ticket once: the other device gets "double"', async () => {
    const { eventId, codes, device, other } = await twoDevices(2);
    const of = (visitor: Visitor, numbers: string[]) => () =>
      sync(
        visitor,
        eventId,
        numbers.map((code) => scanOf(code)),
      );

    const answers = await raceFor(app, 'tickets', eventId, [of(device, codes), of(other, codes.toReversed())]);

    expect(answers).toEqual([
      ['first', 'first'],
      ['double', 'double'],
    ]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('get "double" for a guest checked in online in the meantime', async () => {
    const { eventId, code, device, other } = await twoDevices();

    const [online, offline] = await raceFor<unknown>(app, 'tickets', eventId, [
      async () => (await device.call(checkGuest, { eventId, confirmationNumber: code })).status,
      async () => (await sync(other, eventId, [scanOf(code)]))[0],
    ]);

    expect([online, offline]).toEqual([200, 'double']);
  });
});

describe('a refund and an unsynced scan', () => {
  it('result in a sync conflict if the refund comes first', async () => {
    const { eventId, code, device } = await twoDevices();

    const [refund, scan] = await raceFor<unknown>(app, 'tickets', eventId, [
      async () => (await app.call(requestRefund, { eventId, confirmationCode: code })).status,
      () => sync(device, eventId, [scanOf(code)]),
    ]);

    expect([refund, scan]).toEqual([200, ['refunded']]);
    await app.settle();
    expect(await ticketOf(eventId, code)).toMatchObject({ state: 'refunded', scannedAt: null });
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('result in no refund if the scan comes first', async () => {
    const { eventId, code, device } = await twoDevices();

    const [scan, refund] = await raceFor<unknown>(app, 'tickets', eventId, [
      () => sync(device, eventId, [scanOf(code)]),
      async () => (await app.call(requestRefund, { eventId, confirmationCode: code })).body.code,
    ]);

    expect([scan, refund]).toEqual([['first'], 'refund.already-scanned']);
    expect(await ticketOf(eventId, code)).toMatchObject({ state: 'scanned' });
  });

  it('keep the scan of a ticket that was synced before the event was cancelled and refunded', async () => {
    const { visitor, eventId, code, device } = await twoDevices();
    const scan = scanOf(code);
    await sync(device, eventId, [scan]);
    expectOk(await visitor.call(cancelEvent, { eventId }));
    await app.settle();

    expect(await ticketOf(eventId, code)).toMatchObject({ state: 'refunded', scanId: scan.scanId });
    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});

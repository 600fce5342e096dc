/** Scans that are handed in at the same instant as whatever else befalls their tickets. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/admission.ts';
import { type OfflineScan, syncScans } from '#contract/door.ts';
import { cancelEvent } from '#contract/events.ts';
import { refundErrors, requestRefund } from '#contract/refunds.ts';
import { eventWithTwoDevices } from '#tests/support/check-in-devices.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { expectOk } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const NOBODYS = '1000000000';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const doors = (quantity?: number) => eventWithTwoDevices(app, quantity);

const scanOf = (confirmationNumber: string): OfflineScan => ({
  scanId: randomUUID(),
  confirmationNumber,
  at: app.now().getTime() - 60_000,
});

async function syncAll(device: Visitor, eventId: string, scans: OfflineScan[]): Promise<string[]> {
  const { outcomes } = expectOk(await device.call(syncScans, { eventId, scans }));
  return outcomes.map(({ outcome }) => outcome);
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

describe('a scan that is handed in twice', () => {
  it('at the same instant is judged once', async () => {
    const { eventId, codes, device } = await doors(3);
    const scans = [...codes, NOBODYS].map((code) => scanOf(code));

    const answers = await raceFor(
      app,
      'tickets',
      eventId,
      [scans, scans.toReversed()].map((some) => () => syncAll(device, eventId, some)),
    );

    expect(answers).toEqual([
      ['first', 'first', 'first', 'unknown'],
      ['unknown', 'first', 'first', 'first'],
    ]);
    expect(await recordsOf(eventId)).toHaveLength(4);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('of a number that nobody has, at the same instant, is recorded once', async () => {
    const { eventId, device } = await doors();
    const scan = scanOf(NOBODYS);

    const { both } = await app.db.transaction().execute(async (tx) => {
      await sql`lock table offline_scans in share mode`.execute(tx);
      const both = [syncAll(device, eventId, [scan]), syncAll(device, eventId, [scan])];
      await app.untilBlocked(2);
      return { both };
    });

    expect(await Promise.all(both)).toEqual([['unknown'], ['unknown']]);
    expect(await recordsOf(eventId)).toHaveLength(1);
  });
});

describe('two devices that hand in the same tickets at the same instant', () => {
  it('bring each guest in once: the other one is told that it let them in twice', async () => {
    const { eventId, codes, device, other } = await doors(2);
    const of = (visitor: Visitor, numbers: string[]) => () =>
      syncAll(
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

  it('say double where a guest is let in by the server meanwhile', async () => {
    const { eventId, code, device, other } = await doors();

    const [online, offline] = await raceFor<unknown>(app, 'tickets', eventId, [
      async () => (await device.call(checkGuest, { eventId, confirmationNumber: code })).status,
      async () => (await syncAll(other, eventId, [scanOf(code)]))[0],
    ]);

    expect([online, offline]).toEqual([200, 'double']);
  });
});

describe('a refund and a scan that waits to be handed in', () => {
  it('leave a finding, when the refund was first', async () => {
    const { eventId, code, device } = await doors();

    const [refund, scan] = await raceFor<unknown>(app, 'tickets', eventId, [
      async () => (await app.call(requestRefund, { eventId, confirmationCode: code })).status,
      () => syncAll(device, eventId, [scanOf(code)]),
    ]);

    expect([refund, scan]).toEqual([200, ['refunded']]);
    await app.settle();
    expect(await ticketOf(eventId, code)).toMatchObject({ state: 'refunded', scannedAt: null });
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('leave no refund, when the scan was first', async () => {
    const { eventId, code, device } = await doors();

    const [scan, refund] = await raceFor<unknown>(app, 'tickets', eventId, [
      () => syncAll(device, eventId, [scanOf(code)]),
      async () => (await app.call(requestRefund, { eventId, confirmationCode: code })).body.msg,
    ]);

    expect([scan, refund]).toEqual([['first'], refundErrors['already-scanned']]);
    expect(await ticketOf(eventId, code)).toMatchObject({ state: 'scanned' });
  });

  it('take nothing from a ticket that was handed in before a cancelled event gives its money back', async () => {
    const { visitor, eventId, code, device } = await doors();
    const scan = scanOf(code);
    await syncAll(device, eventId, [scan]);
    expectOk(await visitor.call(cancelEvent, { eventId }));
    await app.settle();

    expect(await ticketOf(eventId, code)).toMatchObject({ state: 'refunded', scanId: scan.scanId });
    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});

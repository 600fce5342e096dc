/** Concurrent scans: each ticket is admitted once, and a locked ticket does not delay the others. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admitTickets } from '#server/orders/core/admit.sql.ts';
import { newId } from '#server/platform/ids.ts';
import { nameDevice } from '#tests/support/check-in-devices.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { buyTickets, codesOf, eventOnSale } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type CheckInResult, checkGuest } from './check-guest.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function eventWithTickets(quantity: number) {
  const { eventId } = await eventOnSale(app);
  const codes = codesOf(await buyTickets(app, eventId, [{ ticketName: 'General admission', quantity }]));
  return { eventId, codes };
}

const scanAt = (eventId: string, deviceId: string) => (confirmationNumber: string) =>
  checkGuest(app.deps, { eventId, deviceId, isMember: false }, confirmationNumber);

const isIn = ({ status }: CheckInResult) => status === 'admitted';

describe('concurrent scans', () => {
  it('admit each ticket once, whichever devices scan it', async () => {
    const events = await Promise.all([eventWithTickets(8), eventWithTickets(8)]);
    const devices = Array.from({ length: 5 }, () => newId());

    const answers = await Promise.all(
      events.flatMap(({ eventId, codes }) => devices.flatMap((device) => codes.map(scanAt(eventId, device)))),
    );

    expect(answers.filter(isIn)).toHaveLength(16);
    expect(answers.filter(({ status }) => status === 'already-in')).toHaveLength(64);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('admit the first of two scans of the same ticket in a batch', async () => {
    const { eventId, codes } = await eventWithTickets(2);
    const [first, second] = [newId(), newId()];
    const scans = codes.flatMap((confirmationNumber) =>
      [first, second].map((scannedBy) => ({ eventId, confirmationNumber, scannedBy, scanId: newId() })),
    );

    const answers = await admitTickets(app.deps.db, scans, { waits: false });

    expect(answers.map((answer) => answer?.isAdmitted)).toEqual([true, undefined, true, undefined]);
    const scanned = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('scannedBy').execute();
    expect(scanned).toEqual([{ scannedBy: first }, { scannedBy: first }]);
  });

  it('do not wait for a locked ticket', async () => {
    const { eventId, codes } = await eventWithTickets(3);
    const [locked = '', ...others] = codes;
    const [front, back] = [scanAt(eventId, newId()), scanAt(eventId, newId())];

    const { waiting, passed } = await app.db.transaction().execute(async (refund) => {
      await sql`
        select from tickets where event_id = ${eventId} and confirmation_number = ${locked} for update`.execute(refund);
      const waiting = [front(locked), back(locked)];
      await app.untilBlocked(2);
      return { waiting, passed: await Promise.all(others.map(front)) };
    });

    expect(passed.every(isIn)).toBe(true);
    expect((await Promise.all(waiting)).filter(isIn)).toHaveLength(1);
  });
});

describe('a ticket whose refund is withdrawn while a scan waits for it', () => {
  it('is admitted', async () => {
    const { eventId, codes } = await eventWithTickets(1);
    const ticket = app.db.updateTable('tickets').where('eventId', '=', eventId);
    await ticket.set({ state: 'refunding' }).execute();

    const { answer } = await app.db.transaction().execute(async (refund) => {
      await refund.updateTable('tickets').set({ state: 'valid' }).where('eventId', '=', eventId).execute();
      const answer = scanAt(eventId, newId())(codes[0] ?? '');
      await app.untilBlocked();
      return { answer };
    });

    expect(await answer).toEqual({ status: 'admitted', ticketName: 'General admission' });
  });
});

describe('admission', () => {
  const at = new Date('2026-05-01T10:00:00Z');
  const SCANNED = { state: 'scanned', scannedAt: at, scannedBy: newId(), scanId: newId() } as const;
  it.each([true, false])('returns the scan that admitted the guest (waits: %s)', async (waits) => {
    const { eventId, codes } = await eventWithTickets(1);
    await app.db.updateTable('tickets').set(SCANNED).where('eventId', '=', eventId).execute();

    const scan = { eventId, confirmationNumber: codes[0] ?? '', scannedBy: newId(), scanId: newId() };
    const [answer] = await admitTickets(app.deps.db, [scan], { waits });

    expect(answer).toMatchObject({ isAdmitted: false, ...SCANNED });
  });

  it.each([true, false])('does not change a ticket that it denies (waits: %s)', async (waits) => {
    const { eventId, codes } = await eventWithTickets(1);
    await app.db.updateTable('tickets').set({ disputedAt: at }).where('eventId', '=', eventId).execute();
    const before = await app.db.selectFrom('tickets').where('eventId', '=', eventId).selectAll().execute();

    const scan = { eventId, confirmationNumber: codes[0] ?? '', scannedBy: newId(), scanId: newId() };
    expect(await admitTickets(app.deps.db, [scan], { waits })).toMatchObject([{ isAdmitted: false, disputedAt: at }]);

    expect(await app.db.selectFrom('tickets').where('eventId', '=', eventId).selectAll().execute()).toEqual(before);
  });

  it('names the device that admitted the guest', async () => {
    const { eventId, codes } = await eventWithTickets(1);
    const id = newId();
    await nameDevice(app, { eventId, id, name: 'Gate 2' });
    const [code = ''] = codes;
    await scanAt(eventId, id)(code);

    expect(await scanAt(eventId, newId())(code)).toMatchObject({ status: 'already-in', device: 'Gate 2' });
  });
});

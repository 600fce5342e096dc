/** Concurrent scans: each ticket is admitted once, and a locked ticket does not delay the others. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#server/platform/app-error.ts';

import { newId } from '#server/platform/ids.ts';
import { nameDevice } from '#tests/support/check-in-devices.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { at } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventOnSale } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { checkGuest } from './check-guest.ts';
import { admitTicket, admitTickets, ticketToCheckIn } from './check-in.sql.ts';

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

const scanAt = (eventId: string, grantId: string) => async (confirmationNumber: string) => {
  try {
    return (await checkGuest(app.deps, { eventId, grantId }, confirmationNumber)).msg;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
};

const isIn = (answer: string) => answer.startsWith('Let them in');

describe('concurrent scans', () => {
  it('admit each ticket once, whichever devices scan it', async () => {
    const events = await Promise.all([eventWithTickets(8), eventWithTickets(8)]);
    const devices = Array.from({ length: 5 }, () => newId());

    const answers = await Promise.all(
      events.flatMap(({ eventId, codes }) => devices.flatMap((device) => codes.map(scanAt(eventId, device)))),
    );

    expect(answers.filter(isIn)).toHaveLength(16);
    expect(answers.filter((answer) => answer.startsWith('Already scanned at'))).toHaveLength(64);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('admit the first of two scans of the same ticket in a batch', async () => {
    const { eventId, codes } = await eventWithTickets(2);
    const [first, second] = [newId(), newId()];
    const scans = codes.flatMap((confirmationNumber) =>
      [first, second].map((scannedBy) => ({ eventId, confirmationNumber, scannedBy, scanId: newId() })),
    );

    const answers = await admitTickets(app.deps.db, scans);

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

describe('a ticket that becomes valid between the denied update and the read', () => {
  it('is admitted', async () => {
    const { eventId, codes } = await eventWithTickets(1);
    await app.db.updateTable('tickets').set({ state: 'refunding' }).where('eventId', '=', eventId).execute();
    // Withdraws the refund inside the statement that found the ticket refunding, so that the statement misses the change.
    await sql`create function good_again() returns trigger language plpgsql as $$
      begin
        if current_query() not like '%admit_tickets%' then
          update tickets set state = 'valid' where state = 'refunding';
        end if;
        return null;
      end $$`.execute(app.db);
    await sql`create trigger good_again before update on tickets
      for each statement when (pg_trigger_depth() = 0) execute function good_again()`.execute(app.db);

    const { answer } = await app.db.transaction().execute(async (refund) => {
      await sql`select from tickets where event_id = ${eventId} for update`.execute(refund);
      const answer = scanAt(eventId, newId())(codes[0] ?? '');
      await app.untilBlocked();
      return { answer };
    });

    expect(await answer).toBe('Let them in: General admission.');
    await sql`drop function good_again cascade`.execute(app.db);
  });
});

describe('a batch and a single scan', () => {
  const NAMED = newId();
  const states = {
    valid: { state: 'valid' },
    refunding: { state: 'refunding' },
    refunded: { state: 'refunded' },
    scanned: {
      state: 'scanned',
      scannedAt: new Date('2026-05-01T10:00:00Z'),
      scannedBy: newId(),
      scanId: newId(),
    },
    'scanned by a device with a name': {
      state: 'scanned',
      scannedAt: new Date('2026-05-01T10:00:00Z'),
      scannedBy: NAMED,
      scanId: newId(),
    },
    disputed: { disputedAt: new Date('2026-05-01T10:00:00Z') },
  } as const;

  it.each(Object.entries(states))('return and write the same for a ticket that is %s', async (_, change) => {
    const { eventId, codes } = await eventWithTickets(2);
    await app.db.updateTable('tickets').set(change).where('eventId', '=', eventId).execute();
    await nameDevice(app, { eventId, id: NAMED, name: 'Gate 2' });

    await expectSameResult(eventId, codes[0] ?? '', codes[1] ?? '');

    const rows = await app.db.selectFrom('tickets').where('eventId', '=', eventId).selectAll().execute();
    const [first, second] = rows.map(({ id: _id, confirmationNumber: _number, ...row }) => row);
    expect(first).toEqual(second);
  });

  it('return the device that admitted the guest', async () => {
    const { eventId, codes } = await eventWithTickets(2);
    await nameDevice(app, { eventId, id: NAMED, name: 'Gate 2' });
    const scan = { eventId, confirmationNumber: codes[0] ?? '', scannedBy: NAMED, scanId: newId() };
    await admitTicket(app.deps.db, scan);

    const [answer] = await admitTickets(app.deps.db, [{ ...scan, scannedBy: newId(), scanId: newId() }]);

    const firstScan = { deviceName: 'Gate 2', scannedBy: NAMED, scanId: scan.scanId };
    expect(answer).toMatchObject({ isAdmitted: false, ...firstScan });
    expect(await ticketToCheckIn(app.deps.db, scan)).toMatchObject(firstScan);
  });

  it('return the same for a cancelled event', async () => {
    const { eventId, codes } = await eventWithTickets(2);
    await app.db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', eventId).execute();

    await expectSameResult(eventId, codes[0] ?? '', codes[1] ?? '');
  });

  async function expectSameResult(eventId: string, one: string, other: string) {
    const { db } = app.deps;
    const alone = { eventId, confirmationNumber: one, scannedBy: newId(), scanId: newId() };
    await at(app, app.now(), async () => {
      const isAdmitted = await admitTicket(db, alone);
      const [answer] = await admitTickets(db, [{ ...alone, confirmationNumber: other }]);
      const ticket = await ticketToCheckIn(db, alone);
      expect(answer).toMatchObject(
        isAdmitted ? { isAdmitted, ticketName: ticket?.ticketName } : { isAdmitted, ...ticket },
      );
    });
  }
});

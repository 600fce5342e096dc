import { randomUUID } from 'node:crypto';
import { sql, type Updateable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import * as contract from '#contract/app/check-in.ts';
import { createEvent } from '#contract/app/events.ts';
import { attendantAccepted } from '#messages/check-in.ts';

import type { Schema } from '#server/platform/schema.ts';
import { deviceAt } from '#tests/support/check-in-devices.ts';
import { errorBody } from '#tests/support/error-body.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

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

async function eventWithTicket() {
  const event = await eventOnSale(app);
  const order = await buyTickets(app, event.eventId, [{ ticketName: 'General admission', quantity: 1 }]);
  return { ...event, confirmationNumber: order.confirmationData[0]?.confirmationNumber ?? '' };
}

/** Bypasses the triggers that guard state changes. */
const setTickets = (eventId: string, change: Updateable<Schema['tickets']>) =>
  app.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = 'replica'`.execute(tx);
    await tx.updateTable('tickets').set(change).where('eventId', '=', eventId).execute();
  });

describe('the attendant code', () => {
  it('is accepted in any case and with hyphens [DOOR-2]', async () => {
    const { eventId, attendantCode } = await eventOnSale(app);
    const typed = `${attendantCode.slice(0, 5)}-${attendantCode.slice(5)}`.toLowerCase();

    const reply = await app.call(contract.enterAttendantCode, { eventId, formData: { attendantCode: typed } });

    expect(reply).toMatchObject({ status: 200, body: { msg: attendantAccepted } });
    expect(reply.headers.get('set-cookie')).toMatch(/^attendant=.*HttpOnly.*SameSite=Strict/);
  });

  it.each([
    ['wrong', { attendantCode: '0000000000' }],
    ['not a code', { attendantCode: '!' }],
  ])('is rejected when %s', async (_case, formData) => {
    const { eventId } = await eventOnSale(app);

    const reply = await app.call(contract.enterAttendantCode, { eventId, formData });

    expect(reply).toMatchObject({ status: 401, body: { code: 'attendant-code.wrong' } });
  });

  it('is rejected when the honeypot is filled', async () => {
    const { eventId, attendantCode } = await eventOnSale(app);

    const reply = await app.call(contract.enterAttendantCode, {
      eventId,
      formData: { attendantCode, honeypot: 'x' },
    });

    expect(reply.status).toBe(401);
  });

  it('is rate limited after ten wrong attempts, but never rejects the right code', async () => {
    const { eventId, attendantCode } = await eventOnSale(strict);
    const enter = (code: string) =>
      strict.call(contract.enterAttendantCode, { eventId, formData: { attendantCode: code } });

    const guesses = [];
    for (let guess = 0; guess < 11; guess++) guesses.push(await enter(`GUESS0000${guess % 10}`));

    expect(guesses.slice(0, 10).map((reply) => reply.status)).toEqual(Array(10).fill(401));
    expect(guesses[10]).toMatchObject({ status: 429, body: { code: 'rate-limit.exceeded' } });
    expect(Number(guesses[10]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await enter(attendantCode)).status).toBe(200);
  });
});

describe('continued guessing', () => {
  it('takes no database connection once enough attempts are queued', async () => {
    const { eventId, attendantCode } = await eventOnSale(strict);
    const { rateLimiter } = strict.deps;
    for (let guess = 0; guess < 11; guess++) await rateLimiter.consume('attendant-code', `127.0.0.1 ${eventId}`);
    const guesses = [{ limit: 'attendant-code', key: `127.0.0.1 ${eventId}` }] as const;
    for (let waiting = 0; waiting < 3; waiting++) void rateLimiter.waitForSlot(guesses);

    const reply = await strict.db.transaction().execute(async (tx) => {
      await sql`lock table events in access exclusive mode`.execute(tx);
      const entered = strict.call(contract.enterAttendantCode, { eventId, formData: { attendantCode } });
      return Promise.race([entered, strict.untilBlocked()]);
    });

    expect(reply).toMatchObject({ status: 429, body: { code: 'rate-limit.exceeded' } });
    expect(reply?.headers.get('retry-after')).toBe('2');
  });
});

describe('checking in a guest', () => {
  it('requires a grant for the event', async () => {
    const { eventId, confirmationNumber } = await eventWithTicket();
    const other = await eventOnSale(app);
    const elsewhere = await attendantOf(app, other.eventId, other.attendantCode);

    const stranger = await app.call(contract.checkGuest, { eventId, confirmationNumber });
    const fromElsewhere = await elsewhere.call(contract.checkGuest, { eventId, confirmationNumber });

    expect(stranger).toMatchObject({ status: 401, body: { code: 'attendant-code.missing' } });
    expect(fromElsewhere.status).toBe(401);
  });

  it('rejects a forged grant', async () => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const attendant = await attendantOf(app, eventId, attendantCode);
    const real = attendant.cookies.get('attendant') ?? '';
    attendant.cookies.set('attendant', `${real.split('.')[0]}.forged`);

    expect((await attendant.call(contract.checkGuest, { eventId, confirmationNumber })).status).toBe(401);
  });

  it('is denied after the organizer changes the code', async () => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const attendant = await attendantOf(app, eventId, attendantCode);
    await app.db.updateTable('events').set({ attendantCodeVersion: 2 }).where('id', '=', eventId).execute();
    await app.deps.changes.catchUp();

    expect((await attendant.call(contract.checkGuest, { eventId, confirmationNumber })).status).toBe(401);
  });

  it('admits once, and tells later scans when that was [DOOR-4 DOOR-8]', async () => {
    const { visitor, eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const front = await attendantOf(app, eventId, attendantCode);
    const back = await attendantOf(app, eventId, attendantCode);

    const first = await front.call(contract.checkGuest, { eventId, confirmationNumber });
    const again = await front.call(contract.checkGuest, { eventId, confirmationNumber });
    const second = await back.call(contract.checkGuestManual, { eventId, manualFormData: { confirmationNumber } });
    await app.advance({ seconds: 4 });
    const late = await front.call(contract.checkGuest, { eventId, confirmationNumber });
    const { body } = await visitor.call(profile, {});

    expect(first).toMatchObject({ status: 200, body: { msg: 'Let them in: General admission.' } });
    expect(again.status).toBe(200);
    expect(second).toMatchObject({
      status: 409,
      body: { msg: expect.stringMatching(/^Already scanned at \d+:\d\d [AP]M, Device 1\.$/) },
    });
    expect(late.status).toBe(409);
    expect(body.events[0]?.guestList[0]?.ticketScanned).toBe(true);
    expect(body.events[0]?.ticketsScanned).toBe(1);
  });

  it('admits one guest when two devices scan the same code concurrently', async () => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const devices = await Promise.all([1, 2].map(() => attendantOf(app, eventId, attendantCode)));

    // The test locks the ticket's row until both devices wait for it.
    const { waiting } = await app.db.transaction().execute(async (tx) => {
      await sql`select from tickets where event_id = ${eventId} for update`.execute(tx);
      const waiting = devices.map((device) => device.call(contract.checkGuest, { eventId, confirmationNumber }));
      await app.untilBlocked(2);
      return { waiting };
    });

    expect((await Promise.all(waiting)).map((reply) => reply.status).sort()).toEqual([200, 409]);
  });

  it('repeats the result of a scan whose response was lost, and denies any other scan', async () => {
    const event = await eventWithTicket();
    const { eventId, confirmationNumber } = event;
    const gate = await deviceAt(app, event, 'Gate 2');
    const other = await deviceAt(app, event, 'Gate 3');
    const scanId = randomUUID();
    const check = ({ visitor }: typeof gate, id: string = scanId) =>
      visitor.call(contract.checkGuest, { eventId, confirmationNumber, scanId: id });

    const first = await check(gate);
    await app.advance({ hours: 1 });
    const replayed = await check(gate, scanId.toUpperCase());
    const typed = await gate.visitor.call(contract.checkGuestManual, {
      eventId,
      manualFormData: { confirmationNumber },
      scanId,
    });
    const [again, elsewhere] = [await check(gate, randomUUID()), await check(other, randomUUID())];

    const yes = { status: 200, body: { msg: 'Let them in: General admission.', result: 'admitted' } };
    expect([first, replayed, typed]).toMatchObject([yes, yes, yes]);
    for (const denied of [again, elsewhere])
      expect([denied.status, denied.body]).toEqual([
        409,
        {
          code: 'check-in.already-in',
          params: expect.anything(),
          msg: expect.stringMatching(/^Already scanned at \d+:\d\d [AP]M, Gate 2\.$/),
        },
      ]);
  });

  it("tells the time of the first scan in the event's time zone", async () => {
    const event = await eventWithTicket();
    const { eventId, confirmationNumber } = event;
    const gate = await deviceAt(app, event, 'Gate 2');
    const scanned = { state: 'scanned' as const, scannedAt: new Date('2026-06-12T23:32:00Z'), scannedBy: gate.id };
    await setTickets(eventId, scanned);

    const reply = await gate.visitor.call(contract.checkGuest, { eventId, confirmationNumber });

    expect(reply.body).toEqual(errorBody('check-in.already-in', { time: '7:32 PM', device: 'Gate 2' }));
  });

  it.each([
    ['on sale', null],
    ['cancelled', new Date()],
  ])("names the organizer's other event that a ticket is for, which is %s", async (_case, cancelledAt) => {
    const { visitor, eventId, attendantCode } = await eventOnSale(app);
    const other = expectOk(await visitor.call(createEvent, eventForm(app, { title: 'Attic Strings' })));
    const [confirmationNumber = ''] = codesOf(await buyTickets(app, other.eventId, generalAdmission(1)));
    await app.db.updateTable('events').set({ cancelledAt }).where('id', '=', other.eventId).execute();
    const attendant = await attendantOf(app, eventId, attendantCode);

    const reply = await attendant.call(contract.checkGuest, { eventId, confirmationNumber });

    expect([reply.status, reply.body]).toEqual([404, errorBody('check-in.other-event', { title: 'Attic Strings' })]);
  });

  it('counts a ticket of another event as a failed attempt', async () => {
    const { visitor, eventId, attendantCode } = await eventOnSale(strict);
    const other = expectOk(await visitor.call(createEvent, eventForm(strict, { title: 'Attic Strings' })));
    const [confirmationNumber = ''] = codesOf(await buyTickets(strict, other.eventId, generalAdmission(1)));
    const attendant = await attendantOf(strict, eventId, attendantCode);
    const check = () => attendant.call(contract.checkGuest, { eventId, confirmationNumber });

    const wrong = await Promise.all(Array.from({ length: 181 }, check));

    expect(wrong.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1);
  });

  it("does not find the ticket of another organizer's event", async () => {
    const { confirmationNumber } = await eventWithTicket();
    const other = await eventOnSale(app);
    const attendant = await attendantOf(app, other.eventId, other.attendantCode);

    const reply = await attendant.call(contract.checkGuest, { eventId: other.eventId, confirmationNumber });

    expect([reply.status, reply.body]).toEqual([404, errorBody('check-in.unknown-ticket')]);
  });

  it.each([
    ['refunded', 'refunded'],
    ['being refunded', 'refunding'],
    ['void', 'void'],
  ] as const)('denies a ticket that is %s', async (_case, state) => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const attendant = await attendantOf(app, eventId, attendantCode);
    await setTickets(eventId, { state });

    const reply = await attendant.call(contract.checkGuest, { eventId, confirmationNumber });

    expect([reply.status, reply.body]).toEqual([409, errorBody(`check-in.${state}`)]);
  });

  it('denies a ticket whose payment is disputed', async () => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const attendant = await attendantOf(app, eventId, attendantCode);
    await setTickets(eventId, { disputedAt: new Date() });

    const reply = await attendant.call(contract.checkGuest, { eventId, confirmationNumber });

    expect([reply.status, reply.body]).toEqual([409, errorBody('check-in.disputed')]);
  });

  it('denies every ticket of a cancelled event', async () => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const attendant = await attendantOf(app, eventId, attendantCode);
    await app.db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', eventId).execute();

    const reply = await attendant.call(contract.checkGuest, { eventId, confirmationNumber });

    expect([reply.status, reply.body]).toEqual([409, errorBody('check-in.event-cancelled')]);
  });

  it('requires the code again after twelve hours', async () => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const attendant = await attendantOf(app, eventId, attendantCode);

    await app.advance({ hours: 12 });

    expect((await attendant.call(contract.checkGuest, { eventId, confirmationNumber })).status).toBe(401);
  });

  it('lets the organizer scan without a code', async () => {
    const { visitor, eventId, confirmationNumber } = await eventWithTicket();

    expect((await visitor.call(contract.checkGuest, { eventId, confirmationNumber })).status).toBe(200);
  });
});

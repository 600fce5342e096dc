import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/accounts.ts';
import * as contract from '#contract/admission.ts';
import { tooManyTries } from '#contract/sentences.ts';
import { attendantOf, buyTickets, eventOnSale } from '#tests/support/people.ts';
import { openWorld, type World } from '#tests/support/world.ts';

let world: World;
let strict: World;
beforeAll(async () => {
  world = await openWorld();
  strict = await openWorld({ rateLimitScale: 1 });
});
afterAll(async () => {
  await world.close();
  await strict.close();
});

async function eventWithTicket() {
  const event = await eventOnSale(world);
  const order = await buyTickets(world, event.eventId, [{ ticketName: 'General admission', quantity: 1 }]);
  return { ...event, confirmationNumber: order.confirmationData[0]?.confirmationNumber ?? '' };
}

describe('the attendant code', () => {
  it('opens the scanner in any case and with hyphens [DOOR-2]', async () => {
    const { eventId, attendantCode } = await eventOnSale(world);
    const typed = `${attendantCode.slice(0, 5)}-${attendantCode.slice(5)}`.toLowerCase();

    const reply = await world.call(contract.enterAttendantCode, { eventId, formData: { attendantCode: typed } });

    expect(reply).toMatchObject({ status: 200, body: { msg: contract.attendantAccepted } });
    expect(reply.headers.get('set-cookie')).toMatch(/^attendant=.*HttpOnly.*SameSite=Strict/);
  });

  it.each([
    ['wrong', { attendantCode: '0000000000' }],
    ['empty of sense', { attendantCode: '!' }],
  ])('is refused when %s', async (_case, formData) => {
    const { eventId } = await eventOnSale(world);

    const reply = await world.call(contract.enterAttendantCode, { eventId, formData });

    expect(reply).toMatchObject({ status: 401, body: { msg: contract.wrongAttendantCode } });
  });

  it('is refused to a program that fills the hidden field', async () => {
    const { eventId, attendantCode } = await eventOnSale(world);

    const reply = await world.call(contract.enterAttendantCode, {
      eventId,
      formData: { attendantCode, honeypot: 'x' },
    });

    expect(reply.status).toBe(401);
  });

  it('stops guessing after ten tries, but never a right code', async () => {
    const { eventId, attendantCode } = await eventOnSale(strict);
    const enter = (code: string) =>
      strict.call(contract.enterAttendantCode, { eventId, formData: { attendantCode: code } });

    const guesses = [];
    for (let guess = 0; guess < 11; guess++) guesses.push(await enter(`GUESS0000${guess % 10}`));

    expect(guesses.slice(0, 10).map((reply) => reply.status)).toEqual(Array(10).fill(401));
    expect(guesses[10]).toMatchObject({ status: 429, body: { msg: tooManyTries } });
    expect(Number(guesses[10]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await enter(attendantCode)).status).toBe(200);
  });
});

describe('somebody who guesses on', () => {
  it('takes no connection of the door for it, once enough of their guesses wait', async () => {
    const { eventId, attendantCode } = await eventOnSale(strict);
    const { tries } = strict.deps;
    for (let guess = 0; guess < 11; guess++) await tries.spend('attendant-code', `127.0.0.1 ${eventId}`);
    const guesses = [{ budget: 'attendant-code', key: `127.0.0.1 ${eventId}` }] as const;
    for (let place = 0; place < 3; place++) void tries.takeTurn(guesses);

    const reply = await strict.db.transaction().execute(async (tx) => {
      await sql`lock table events in access exclusive mode`.execute(tx);
      const entered = strict.call(contract.enterAttendantCode, { eventId, formData: { attendantCode } });
      return Promise.race([entered, strict.untilSomeoneWaits()]);
    });

    expect(reply).toMatchObject({ status: 429, body: { msg: tooManyTries } });
    expect(reply?.headers.get('retry-after')).toBe('2');
  });
});

describe('checking a guest', () => {
  it('needs a grant for this very event', async () => {
    const { eventId, confirmationNumber } = await eventWithTicket();
    const other = await eventOnSale(world);
    const elsewhere = await attendantOf(world, other.eventId, other.attendantCode);

    const stranger = await world.call(contract.checkGuest, { eventId, confirmationNumber });
    const fromElsewhere = await elsewhere.call(contract.checkGuest, { eventId, confirmationNumber });

    expect(stranger).toMatchObject({ status: 401, body: { msg: contract.grantMissing } });
    expect(fromElsewhere.status).toBe(401);
  });

  it('refuses a grant that somebody made up', async () => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const attendant = await attendantOf(world, eventId, attendantCode);
    const real = attendant.cookies.get('attendant') ?? '';
    attendant.cookies.set('attendant', `${real.split('.')[0]}.forged`);

    expect((await attendant.call(contract.checkGuest, { eventId, confirmationNumber })).status).toBe(401);
  });

  it('ends when the organizer changes the code', async () => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const attendant = await attendantOf(world, eventId, attendantCode);
    await world.db.updateTable('events').set({ attendantCodeVersion: 2 }).where('id', '=', eventId).execute();
    await world.deps.changes.caughtUp();

    expect((await attendant.call(contract.checkGuest, { eventId, confirmationNumber })).status).toBe(401);
  });

  it('admits once, and says when to whoever comes second [DOOR-4 DOOR-8]', async () => {
    const { visitor, eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const front = await attendantOf(world, eventId, attendantCode);
    const back = await attendantOf(world, eventId, attendantCode);

    const first = await front.call(contract.checkGuest, { eventId, confirmationNumber });
    const again = await front.call(contract.checkGuest, { eventId, confirmationNumber });
    const second = await back.call(contract.checkGuestManual, { eventId, manualFormData: { confirmationNumber } });
    await world.advance({ seconds: 4 });
    const late = await front.call(contract.checkGuest, { eventId, confirmationNumber });
    const { body } = await visitor.call(profile, {});

    expect(first).toMatchObject({ status: 200, body: { msg: 'Let them in: General admission.' } });
    expect(again.status).toBe(200);
    expect(second).toMatchObject({
      status: 409,
      body: { msg: expect.stringMatching(/^Already scanned at \d+:\d\d [AP]M\.$/) },
    });
    expect(late.status).toBe(409);
    expect(body.events[0]?.guestList[0]?.ticketScanned).toBe(true);
    expect(body.events[0]?.ticketsScanned).toBe(1);
  });

  it('admits one guest when two doors read the same code at the same instant', async () => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const doors = await Promise.all([1, 2].map(() => attendantOf(world, eventId, attendantCode)));

    // The ticket's row is held by the test until both doors wait for it.
    const { waiting } = await world.db.transaction().execute(async (tx) => {
      await sql`select from tickets where event_id = ${eventId} for update`.execute(tx);
      const waiting = doors.map((door) => door.call(contract.checkGuest, { eventId, confirmationNumber }));
      await world.untilSomeoneWaits(2);
      return { waiting };
    });

    expect((await Promise.all(waiting)).map((reply) => reply.status).sort()).toEqual([200, 409]);
  });

  it('does not know the ticket of another event', async () => {
    const { confirmationNumber } = await eventWithTicket();
    const other = await eventOnSale(world);
    const attendant = await attendantOf(world, other.eventId, other.attendantCode);

    const reply = await attendant.call(contract.checkGuest, { eventId: other.eventId, confirmationNumber });

    expect(reply).toMatchObject({ status: 404, body: { msg: contract.admissionRefusals['unknown-ticket'] } });
  });

  it.each([
    ['refunded', 'refunded', contract.admissionRefusals.refunded],
    ['on its way back', 'refunding', contract.admissionRefusals.refunding],
  ] as const)('refuses a ticket that is %s', async (_case, state, msg) => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const attendant = await attendantOf(world, eventId, attendantCode);
    await world.db.updateTable('tickets').set({ state }).where('eventId', '=', eventId).execute();

    const reply = await attendant.call(contract.checkGuest, { eventId, confirmationNumber });

    expect(reply).toMatchObject({ status: 409, body: { msg } });
  });

  it('admits nobody to a cancelled event', async () => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const attendant = await attendantOf(world, eventId, attendantCode);
    await world.db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', eventId).execute();

    const reply = await attendant.call(contract.checkGuest, { eventId, confirmationNumber });

    expect(reply).toMatchObject({ status: 409, body: { msg: contract.admissionRefusals['event-cancelled'] } });
  });

  it('needs the code again after twelve hours', async () => {
    const { eventId, attendantCode, confirmationNumber } = await eventWithTicket();
    const attendant = await attendantOf(world, eventId, attendantCode);

    await world.advance({ hours: 12 });

    expect((await attendant.call(contract.checkGuest, { eventId, confirmationNumber })).status).toBe(401);
  });

  it('lets the organizer scan without a code', async () => {
    const { visitor, eventId, confirmationNumber } = await eventWithTicket();

    expect((await visitor.call(contract.checkGuest, { eventId, confirmationNumber })).status).toBe(200);
  });
});

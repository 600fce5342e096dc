/** The door's search by name. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { offlineTicketList, removeDevice, undoCheckIn } from '#contract/app/check-in-devices.ts';
import { checkInFoundGuest, editNameSearch, findGuests, nameSearch } from '#contract/app/sales/find-guests.ts';
import { transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { deviceAt, grantIdOf } from '#tests/support/check-in-devices.ts';
import { addGuests, compsOf } from '#tests/support/comps.ts';
import { askBuyers, buyWithDetails, reserveAsked } from '#tests/support/guest-forms.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { attendantOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { newMember } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
let strict: TestApp;
withTestApp((opened) => {
  app = opened;
});
withTestApp(
  (opened) => {
    strict = opened;
  },
  { rateLimitScale: 0.1 },
);

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const turn = ({ visitor, eventId }: Event, isOn: boolean) => visitor.call(editNameSearch, { eventId, isOn });

/** Its guests are comps. */
async function eventWith(site: TestApp, ...names: string[]) {
  const event = await eventOnSale(site);
  expectOk(await turn(event, true));
  if (names.length > 0)
    expectOk(
      await addGuests(
        event,
        names.map((name) => ({ name })),
      ),
    );
  return event;
}

const search = async (by: Visitor, { eventId }: Event, name: string) =>
  expectOk(await by.call(findGuests, { eventId, name }));

const namesFor = async (event: Event, name: string) =>
  (await search(event.visitor, event, name)).guests.map((guest) => guest.name);

const numbersOf = async ({ eventId }: Event) => {
  const rows = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('confirmationNumber').execute();
  return rows.map(({ confirmationNumber }) => confirmationNumber);
};

describe('a search by name', () => {
  it('is off until the organizer turns it on, and again after that [FIND-2]', async () => {
    const event = await eventOnSale(app);
    const { eventId } = event;
    const device = await attendantOf(app, eventId, event.attendantCode);
    const off = { status: 404, body: { code: 'guest-search.off' } };
    const found = { eventId, ticketId: randomUUID(), scanId: randomUUID() };
    for (const by of [device, event.visitor]) {
      expect(await by.call(findGuests, { eventId, name: 'Ada' })).toMatchObject(off);
      expect(expectOk(await by.call(nameSearch, { eventId }))).toEqual({ isOn: false, checksIn: false });
    }
    expect(await event.visitor.call(checkInFoundGuest, found)).toMatchObject(off);

    expectOk(await turn(event, true));
    expect(expectOk(await device.call(nameSearch, { eventId }))).toEqual({ isOn: true, checksIn: false });
    expect(expectOk(await event.visitor.call(nameSearch, { eventId }))).toEqual({ isOn: true, checksIn: true });
    expect(await search(device, event, 'Ada')).toEqual({ guests: [], isMore: false });

    expectOk(await turn(event, false));
    expect(await device.call(findGuests, { eventId, name: 'Ada' })).toMatchObject(off);
    expect(await event.visitor.call(checkInFoundGuest, found)).toMatchObject(off);
  });

  it('shows name, ticket type, state and the last two digits, of sold tickets [FIND-2]', async () => {
    const event = await eventWith(app);
    await askBuyers(event, { asksNames: 'required' });
    const tickets = [{ name: 'Sofia Santos' }, { name: 'Omar Santos' }];
    const order = await buyWithDetails(
      app,
      event.eventId,
      { tickets },
      { email: 'sofia@example.com', cartItems: generalAdmission(2) },
    );
    const reserved = await reserveAsked(app, event.eventId);
    expectOk(await reserved.send({ tickets: [{ name: 'Santos, not paid' }] }));
    const [first, second] = order.confirmationData.map(({ confirmationNumber }) => confirmationNumber);
    const device = await attendantOf(app, event.eventId, event.attendantCode);
    expectOk(await device.call(checkGuest, { eventId: event.eventId, confirmationNumber: first ?? '' }));

    const shown = { ticketName: 'General admission', isAddOn: false, ticketId: null };
    expect(await search(device, event, 'santos')).toEqual({
      guests: [
        { ...shown, name: 'Omar Santos', state: 'valid', scannedAt: null, lastDigits: second?.slice(-2) },
        {
          ...shown,
          name: 'Sofia Santos',
          state: 'scanned',
          scannedAt: expect.any(Number),
          lastDigits: first?.slice(-2),
        },
      ],
      isMore: false,
    });
  });

  it.each([
    ['ada', ['Ada Lovelace']],
    ['LOVE', ['Ada Lovelace']],
    ['love ada', ['Ada Lovelace']],
    ['ada  l', ['Ada Lovelace']],
    ['lace', []],
    ['ada x', []],
    ['jose', ['José Núñez-Pérez']],
    ['Nuñ', ['José Núñez-Pérez']],
    ['perez', ['José Núñez-Pérez']],
    ['obrien', ["Sinéad O'Brien"]],
    ['o’brien', ["Sinéad O'Brien"]],
    ['анна', ['Анна Каренина']],
    ['田中太', ['田中太郎']],
    ['%%%ada', ['Ada Lovelace']],
    ['___', null],
    ['a_a', null],
    ['12345', null],
    ['ab', null],
    ['  ab  ', null],
    ['', null],
    ['a'.repeat(101), null],
  ])('finds by %j: %j', async (name, found) => {
    shared ??= eventWith(app, 'Ada Lovelace', 'José Núñez-Pérez', "Sinéad O'Brien", 'Анна Каренина', '田中太郎');
    const event = await shared;
    if (found) return expect(await namesFor(event, name)).toEqual(found);
    const reply = await event.visitor.send(findGuests, { eventId: event.eventId, name });
    expect(reply).toMatchObject({ status: 400, body: { code: 'form.invalid' } });
  });
  let shared: Promise<Event> | undefined;

  it.each([null, 5, ['Ada'], {}, undefined])('rejects %j as a name', async (name) => {
    const event = await eventWith(app);
    expect((await event.visitor.send(findGuests, { eventId: event.eventId, name })).status).toBe(400);
  });

  it('finds at most twenty, and tells if there are more', async () => {
    const event = await eventWith(app, ...Array.from({ length: 21 }, (_, index) => `Kim ${index}`));
    const { guests, isMore } = await search(event.visitor, event, 'Kim');
    expect([guests.length, isMore]).toEqual([20, true]);
  });

  it("finds tickets without a name by their buyer's [FIND-2]", async () => {
    const event = await eventWith(app);
    await askBuyers(event, { asksNames: 'optional' });
    const buyer = { email: 'sam@example.com', cartItems: generalAdmission(3) };
    const tickets = [{ name: 'Theo' }, { name: '' }, { name: '' }];
    const { details } = await buyWithDetails(app, event.eventId, { tickets }, buyer);
    expect(await namesFor(event, 'sam')).toEqual(['Sam Buyer', 'Sam Buyer']);

    const { token } = details ?? expect.unreachable();
    expectOk(await app.call(transferTicket, { token, position: 2, email: 'ana@example.com' }));
    expect(await namesFor(event, 'buyer')).toEqual(['Sam Buyer']);
    expect(await namesFor(event, 'theo')).toEqual(['Theo']);
  });

  it('finds a guest behind many who have not paid yet', async () => {
    const event = await eventWith(app, 'Kim Zhou');
    await askBuyers(event, { asksNames: 'required' });
    const { send } = await reserveAsked(app, event.eventId, generalAdmission(21));
    expectOk(await send({ tickets: Array.from({ length: 21 }, (_, index) => ({ name: `Kim A. ${index}` })) }));
    const { guests, isMore } = await search(event.visitor, event, 'Kim');
    expect([guests.map(({ name }) => name), isMore]).toEqual([['Kim Zhou'], false]);
  });

  it('never shows an address or a whole number, whatever was typed as a name [FIND-2]', async () => {
    const number = '4829103756';
    const event = await eventWith(app, 'Ada ada@example.com', `Ada ${number}`, 'Ada 482 910-3756', 'Ada ＠home');
    const reply = await event.visitor.call(findGuests, { eventId: event.eventId, name: 'Ada' });
    const text = JSON.stringify(reply.body);
    expect(expectOk(reply).guests).toHaveLength(4);
    expect(text).not.toMatch(/[@＠]/);
    for (const one of [...(await numbersOf(event)), number, '482 910']) expect(text).not.toContain(one);
  });

  it('finds guests of its own event only', async () => {
    const [event, other] = [await eventWith(app, 'Ada Here'), await eventWith(app, 'Ada There')];
    expect(await namesFor(event, 'Ada')).toEqual(['Ada Here']);
    const device = await attendantOf(app, event.eventId, event.attendantCode);
    for (const by of [device, app.visitor(), event.visitor]) {
      const found = { eventId: other.eventId, ticketId: randomUUID(), scanId: randomUUID() };
      const replies = [
        await by.call(findGuests, { eventId: other.eventId, name: 'Ada' }),
        await by.call(nameSearch, { eventId: other.eventId }),
        await by.call(checkInFoundGuest, found),
      ];
      expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
    }
    const { visitor } = await eventOnSale(app);
    expect(await visitor.call(editNameSearch, { eventId: event.eventId, isOn: true })).toMatchObject({
      status: 404,
      body: { code: 'event.not-found' },
    });
  });

  it('ends with the device', async () => {
    const event = await eventWith(app, 'Ada Here');
    const device = await attendantOf(app, event.eventId, event.attendantCode);
    await search(device, event, 'Ada');
    const deviceId = grantIdOf(app, device);
    expectOk(await event.visitor.call(removeDevice, { eventId: event.eventId, deviceId }));
    await expect
      .poll(async () => (await device.call(findGuests, { eventId: event.eventId, name: 'Ada' })).status)
      .toBe(401);
  });

  it('is recorded with who searched and how much was found, not with the name [FIND-2]', async () => {
    const event = await eventWith(app, 'Ada Here', 'Ada There');
    const { visitor: device, id, name } = await deviceAt(app, event, 'Gate 2');
    await search(device, event, 'Ada');
    await search(event.visitor, event, 'Nobody');
    const entries = await app.db
      .selectFrom('auditEvents')
      .where('eventId', '=', event.eventId)
      .where('action', '=', 'find-guests')
      .select(['actorId', 'actorKind', 'params'])
      .orderBy('at')
      .execute();
    const { userId } = await actorOf(app.db, event.email);
    expect(name).toBe('Gate 2');
    expect(entries).toEqual([
      { actorId: id, actorKind: 'attendant', params: { found: 2 } },
      { actorId: userId, actorKind: 'member', params: { found: 0 } },
    ]);
  });

  it('is rate limited per device and per event [FIND-2]', async () => {
    const event = await eventWith(strict);
    const count = async (visitor: Visitor) => {
      for (let n = 0; n < 100; n++) {
        const reply = await visitor.call(findGuests, { eventId: event.eventId, name: `Ada ${n}` });
        if (reply.status === 200) continue;
        expect(reply).toMatchObject({ status: 429, body: { code: 'rate-limit.exceeded' } });
        return n;
      }
      return null;
    };
    const counts = [await count(event.visitor)];
    for (let n = 0; n < 10; n++)
      counts.push(await count(await attendantOf(strict, event.eventId, event.attendantCode)));
    expect(counts).toEqual([...Array(10).fill(6), 0]);
    const other = await eventWith(strict);
    await search(other.visitor, other, 'Ada');
  });

  it('changes no byte of the offline list [FIND-2]', async () => {
    const event = await eventOnSale(app);
    const { eventId } = event;
    expectOk(await addGuests(event, [{ name: 'Ada Lovelace', doorNote: 'Front row' }]));
    const device = await attendantOf(app, eventId, event.attendantCode);
    const list = async () => {
      const {
        now: _now,
        upTo: _upTo,
        ...rest
      } = expectOk(await device.call(offlineTicketList, { eventId, pending: 0 }));
      return JSON.stringify(rest);
    };
    const before = await list();
    expect(before).not.toMatch(/Ada|Front/);
    expectOk(await turn(event, true));
    await search(device, event, 'Ada');
    expect(await list()).toBe(before);
  });
});

describe('checking in from a search', () => {
  async function found() {
    const event = await eventWith(app, 'Ada Lovelace');
    const helper = await newMember(app, event, 'check-in', [event.eventId]);
    const { guests } = await search(helper.visitor, event, 'Ada');
    const ticketId = guests[0]?.ticketId ?? '';
    const checkIn = (by: Visitor, scanId: string = randomUUID()) =>
      by.call(checkInFoundGuest, { eventId: event.eventId, ticketId, scanId });
    return { event, helper, ticketId, checkIn };
  }

  it('is for members, under their own name, and can be undone [FIND-3]', async () => {
    const { event, helper, ticketId, checkIn } = await found();
    const { eventId } = event;
    const scanId = randomUUID();
    const first = await checkIn(helper.visitor, scanId);
    expect(first).toMatchObject({ status: 200, body: { result: 'admitted' } });
    expect(await checkIn(helper.visitor, scanId)).toMatchObject({ status: 200 });
    const { userId } = await actorOf(app.db, helper.email);
    const ticket = await app.db
      .selectFrom('tickets')
      .where('id', '=', ticketId)
      .select(['state', 'scannedBy'])
      .executeTakeFirst();
    expect(ticket).toEqual({ state: 'scanned', scannedBy: userId });
    const audited = app.db.selectFrom('auditEvents').where('subject', '=', ticketId).select(['action', 'actorId']);
    expect(await audited.execute()).toEqual([{ action: 'check-in-found-guest', actorId: userId }]);

    expect((await search(helper.visitor, event, 'Ada')).guests).toMatchObject([{ state: 'scanned', ticketId: null }]);
    expectOk(await helper.visitor.call(undoCheckIn, { eventId, scanId }));
    expect(await checkIn(event.visitor)).toMatchObject({ status: 200 });
    expect(await checkIn(helper.visitor)).toMatchObject({ status: 409, body: { code: 'check-in.already-in' } });
  });

  it('is denied to a device with the attendant code, even of a member [FIND-3]', async () => {
    const { event, ticketId, checkIn } = await found();
    const device = await attendantOf(app, event.eventId, event.attendantCode);
    expect((await search(device, event, 'Ada')).guests).toMatchObject([{ ticketId: null }]);
    const denied = { status: 403, body: { code: 'guest-search.members-only' } };
    expect(await checkIn(device)).toMatchObject(denied);
    const [state] = await app.db.selectFrom('tickets').where('id', '=', ticketId).select('state').execute();
    expect(state).toEqual({ state: 'valid' });
  });

  it.each(['finance', 'viewer'] as const)('is denied to the role %s', async (role) => {
    const { event, checkIn } = await found();
    const member = await newMember(app, event, role);
    expect(await checkIn(member.visitor)).toMatchObject({ status: 403, body: { code: 'auth.role-denied' } });
  });

  it('finds no ticket of another event', async () => {
    const [{ ticketId }, other] = [await found(), await found()];
    const reply = await other.helper.visitor.call(checkInFoundGuest, {
      eventId: other.event.eventId,
      ticketId,
      scanId: randomUUID(),
    });
    expect(reply).toMatchObject({ status: 404, body: { code: 'guest-search.unknown' } });
  });

  it('admits once, by the first of two members and a scan', async () => {
    const { event, helper, ticketId, checkIn } = await found();
    const [confirmationNumber = ''] = await numbersOf(event);
    const device = await attendantOf(app, event.eventId, event.attendantCode);
    const replies = await raceFor(app, 'tickets', event.eventId, [
      () => checkIn(event.visitor),
      () => checkIn(helper.visitor),
      () => device.call(checkGuest, { eventId: event.eventId, confirmationNumber }),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from audit_events where subject = ${ticketId} and action = 'check-in-found-guest'`.execute(
      app.db,
    );
    expect(rows[0]?.n).toBe(replies.slice(0, 2).filter(({ status }) => status === 200).length);
    expect((await compsOf(event)).map(({ state }) => state)).toEqual(['scanned']);
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editEvent, publicEvent } from '#contract/app/events.ts';
import * as contract from '#contract/app/waiting-room.ts';
import { passesCalled } from '#domain/waiting-room.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { eventForm, eventOnSale, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import {
  countBlockedPolls,
  eventWithWaitingRoom,
  inMinutes,
  join,
  joined,
  pollRoom,
  ratesIn,
  tryCheckout,
} from '#tests/support/waiting-room.ts';
import { assignPositions } from './waiting-room.sql.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('a start of sales', () => {
  it('is public, and nothing is sold before it', async () => {
    const salesStart = inMinutes(app, 30);
    const { eventId } = await eventOnSale(app, { salesStart });

    expect((await app.call(publicEvent, { eventId })).body).toMatchObject({ salesStartAt: salesStart });
    expect(await tryCheckout(app.visitor(), eventId)).toMatchObject({
      status: 409,
      body: { code: 'waiting-room.sales-not-started' },
    });

    expect(await pollRoom(app, eventId)).toMatchObject({ salesStartAt: salesStart, rates: [] });
    expect(await join(app.visitor(), eventId)).toMatchObject({ status: 404 });

    await app.advance({ minutes: 30 });
    expect(await tryCheckout(app.visitor(), eventId)).toMatchObject({ status: 200 });
  });

  it('is optional, and an event without one has no waiting room', async () => {
    const { eventId } = await eventOnSale(app);

    const { body } = await app.call(publicEvent, { eventId });
    expect(Object.keys(body)).not.toContain('salesStartAt');
    expect(Object.keys(body)).not.toContain('buyersPerMinute');
    expect(await app.call(contract.waitingRoom, { eventId })).toMatchObject({
      status: 404,
      body: { code: 'waiting-room.none' },
    });
    expect(await join(app.visitor(), eventId)).toMatchObject({ status: 404 });
    expect(await join(app.visitor(), 'no-such-event-00')).toMatchObject({ status: 404 });
    expect(await join(app.visitor(), "' or 1=1 --")).toMatchObject({ status: 404 });
  });

  it.each([
    [{ salesStart: 'tomorrow' }, 'Sales start date/time must be a date and a time'],
    [{ salesStart: '2999-01-01T10:00' }, 'Sales start must be before the event ends'],
    [{ useWaitingRoom: true }, 'Set a sales start to use a waiting room'],
    [
      { salesStart: '2020-01-01T10:00', useWaitingRoom: true, buyersPerMinute: 'many' },
      'Buyers per minute must be a whole number from 1 to 6,000',
    ],
  ])('is refused when invalid: %o', async (change, msg) => {
    await expect(eventOnSale(app, change)).rejects.toThrow(msg);
  });

  it('is unchanged by an edit that omits it', async () => {
    const { eventId, visitor, sale } = await eventWithWaitingRoom(app, 45, 7);

    expect(await visitor.call(editEvent, { ...eventForm(app, { title: 'Renamed' }), eventId })).toMatchObject({
      status: 200,
    });
    expect((await app.call(publicEvent, { eventId })).body).toMatchObject({
      title: 'Renamed',
      salesStartAt: sale.salesStart,
      buyersPerMinute: 7,
    });

    const cleared = { ...eventForm(app), eventId, salesStart: '', useWaitingRoom: false };
    expect(await visitor.call(editEvent, cleared)).toMatchObject({ status: 200 });
    expect((await app.call(publicEvent, { eventId })).body).not.toHaveProperty('salesStartAt');
  });
});

describe('a waiting room', () => {
  it('opens an hour before the start', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 61);

    expect(await join(app.visitor(), eventId)).toMatchObject({ status: 409, body: { code: 'waiting-room.not-open' } });
    await app.advance({ minutes: 1 });
    expect(await join(app.visitor(), eventId)).toMatchObject({ status: 200, body: { position: null } });
  });

  it('orders early arrivals randomly, and later ones by arrival', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 10);
    const early = await Promise.all(Array.from({ length: 30 }, () => joined(app, eventId)));
    expect(early.map(({ position }) => position)).toEqual(Array(30).fill(null));

    await app.advance({ minutes: 10 });
    const first = await joined(app, eventId);
    const second = await joined(app, eventId);
    const drawn = await Promise.all(
      early.map(async ({ visitor }) => (await join(visitor, eventId)).body.position ?? 0),
    );

    expect(drawn.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(drawn).not.toEqual(drawn.toSorted((a, b) => a - b));
    expect([first.position, second.position]).toEqual([31, 32]);
  });

  it('excludes an arrival during the draw from the draw', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 1);
    await joined(app, eventId);
    await app.advance({ seconds: 50 });
    const visitor = app.visitor();

    const { arriving } = await app.db.transaction().execute(async (draw) => {
      // Closes the draw like another server whose clock is slightly ahead.
      await draw
        .updateTable('waitingRooms')
        .set((room) => ({ drawSize: room.ref('lastPass') }))
        .where('eventId', '=', eventId)
        .execute();
      const arriving = join(visitor, eventId);
      await app.untilBlocked();
      return { arriving };
    });
    await arriving;
    await app.advance({ seconds: 10 });

    await expect.poll(async () => (await join(visitor, eventId)).body.position).toBe(2);
  });

  it('assigns each position once across servers', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0);
    const db = app.deps.db;

    const { batches } = await app.db.transaction().execute(async (other) => {
      await other.selectFrom('waitingRooms').where('eventId', '=', eventId).selectAll().forUpdate().execute();
      const batches = [3, 2].map((count) => assignPositions(db, [{ eventId, networkHash: null, count }], null));
      await app.untilBlocked(2);
      return { batches };
    });

    const lastPasses = (await Promise.all(batches)).map(([row]) => row?.lastPass);
    expect(lastPasses.toSorted()).toEqual(lastPasses[0] === 3 ? [3, 5] : [2, 5]);
  });

  it('does not deadlock when two servers lock the same rooms in a different order', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0);
    const { eventId: other } = await eventWithWaitingRoom(app, 0);
    const [first = '', last = ''] = [eventId, other].toSorted();
    const arrivals = (...eventIds: string[]) =>
      app.deps.db.transaction().execute(async (tx) => {
        // Forces the plan that PostgreSQL uses with many rooms.
        await sql`set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off`.execute(
          tx,
        );
        return assignPositions(
          tx,
          eventIds.map((eventId) => ({ eventId, networkHash: null, count: 1 })),
          null,
        );
      });

    const { batches } = await app.db.transaction().execute(async (holder) => {
      await holder.selectFrom('waitingRooms').where('eventId', '=', first).selectAll().forUpdate().execute();
      const one = arrivals(first, last);
      await app.untilBlocked(1);
      const two = arrivals(last, first);
      await app.untilBlocked(2);
      return { batches: [one, two] };
    });

    const lastPasses = (await Promise.all(batches)).map((rows) => rows.map((row) => row.lastPass));
    expect(lastPasses).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('assigns unique positions to a crowd', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0);

    const positions = await Promise.all(
      Array.from({ length: 100 }, async () => (await joined(app, eventId)).position ?? 0),
    );
    expect(new Set(positions).size).toBe(100);
  });

  it('has one public state, from which each browser computes its turn', async () => {
    const { eventId, sale } = await eventWithWaitingRoom(app, 5, 30);
    await joined(app, eventId);
    await app.advance({ minutes: 7 });

    const reply = await app.call(contract.waitingRoom, { eventId });
    const rates = ratesIn(reply.body);
    expect(rates).toEqual([{ before: 0, since: new Date(sale.salesStart), perMinute: 30 }]);
    expect(passesCalled(rates, new Date(reply.body.now))).toBe(61);
    expect(reply.body).toMatchObject({ lastPass: 1, isSoldOut: false });
    expect(reply.headers.get('cache-control')).toBe('private, max-age=1');
    expect(reply.headers.get('set-cookie')).toBeNull();
    expect(contract.waitingRoom.reply.safeParse(reply.body).success).toBe(true);
  });

  it('admits each buyer only once called', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0, 1);
    const first = await joined(app, eventId);
    const second = await joined(app, eventId);

    expect(await tryCheckout(first.visitor, eventId)).toMatchObject({ status: 200 });
    expect(await tryCheckout(second.visitor, eventId)).toMatchObject({
      status: 409,
      body: { code: 'waiting-room.not-your-turn' },
    });
    await app.advance({ minutes: 1 });
    expect(await tryCheckout(second.visitor, eventId)).toMatchObject({ status: 200 });
  });

  it('does not call a whole crowd at once after a quiet period', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0, 10);
    await app.advance({ minutes: 30 });
    const positions = await Promise.all(
      Array.from({ length: 40 }, async () => (await joined(app, eventId)).position ?? 0),
    );

    const room = await pollRoom(app, eventId);
    const called = passesCalled(ratesIn(room), new Date(room.now));
    const admitted = positions.filter((position) => position <= called).length;
    expect(admitted).toBeGreaterThan(5);
    expect(admitted).toBeLessThanOrEqual(20);
  });

  it('serves the last snapshot while the database is stuck', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0, 1);
    const { visitor, position } = await joined(app, eventId);
    const { visitor: second } = await joined(app, eventId);
    const watch = freezeMonotonicClock();
    const before = await pollRoom(app, eventId);
    const whileBlocked = async <T>(asked: Promise<T>): Promise<T> => {
      const answer = await asked;
      expect(await countBlockedPolls(app.db)).toBe(1);
      return answer;
    };

    await app.db.transaction().execute(async (stuck) => {
      await sql`lock table events, waiting_rooms in access exclusive mode`.execute(stuck);
      watch.advance(600);

      expect((await whileBlocked(pollRoom(app, eventId))).rates).toEqual(before.rates);
      expect(await whileBlocked(join(visitor, eventId))).toMatchObject({ status: 200, body: { position } });
      expect(await whileBlocked(tryCheckout(second, eventId))).toMatchObject({
        body: { code: 'waiting-room.not-your-turn' },
      });
    });
  });

  it.each([
    ['are sold out', 0],
    ['are fewer than an order takes', 1],
  ])('shows when tickets %s', async (_how, left) => {
    const { eventId } = await eventWithWaitingRoom(app, 0);
    expect(await pollRoom(app, eventId)).toMatchObject({ isSoldOut: false });
    await app.db
      .updateTable('ticketTypes')
      .set((type) => ({ minPerOrder: 2, reserved: sql<number>`${type.ref('quantity')} - ${left}::integer` }))
      .where('eventId', '=', eventId)
      .execute();

    await expect.poll(async () => (await pollRoom(app, eventId)).isSoldOut).toBe(true);
  });
});

describe('a pass', () => {
  it('is reused on the next visit', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0, 1);
    await joined(app, eventId);
    const { visitor, position } = await joined(app, eventId);

    expect((await join(visitor, eventId)).body.position).toBe(position);
    await expect.poll(async () => (await pollRoom(app, eventId)).lastPass).toBe(2);
  });

  it('is stored in an HttpOnly cookie', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0);
    const reply = await app.visitor().fetch(contract.joinWaitingRoom.path.replace(':eventId', eventId), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });

    expect(reply.headers.getSetCookie()).toEqual([expect.stringMatching(/^pass=.*HttpOnly; SameSite=Lax/)]);
    expect(reply.headers.getSetCookie()[0]).toContain(`Max-Age=${30 * 24 * 60 * 60};`);
    expect(await reply.json()).toEqual({ position: 1, arrival: 1, returnsAt: null });
  });

  it('is refused when missing, forged or for another event', async () => {
    const here = await eventWithWaitingRoom(app, 0);
    const there = await eventWithWaitingRoom(app, 0);
    const { visitor } = await joined(app, here.eventId);
    const cookie = visitor.cookies.get('pass') ?? '';
    const none = { status: 409, body: errorBody('waiting-room.no-pass') };

    expect(await tryCheckout(app.visitor(), here.eventId)).toMatchObject(none);
    expect(await tryCheckout(visitor, there.eventId)).toMatchObject(none);
    for (const forged of [
      cookie.replace(/\.1\./, '.2.'),
      cookie.replace(here.eventId, there.eventId),
      cookie.slice(0, -1),
      `${cookie.slice(0, -2)}${cookie.at(-2) === 'A' ? 'B' : 'A'}${cookie.at(-1)}`,
      'x',
    ]) {
      const forger = app.visitor();
      forger.cookies.set('pass', forged);
      for (const { eventId } of [here, there]) expect(await tryCheckout(forger, eventId)).toMatchObject(none);
    }
    expect(await tryCheckout(visitor, here.eventId)).toMatchObject({ status: 200 });
  });

  it('expires ten minutes after its call, and is then replaced', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0, 60);
    const { visitor, position } = await joined(app, eventId);
    await app.advance({ minutes: 10 });

    expect(await tryCheckout(visitor, eventId)).toMatchObject({
      status: 409,
      body: { code: 'waiting-room.turn-passed' },
    });
    const { body } = await join(visitor, eventId);
    expect(body.position).toBeGreaterThan(position ?? 0);
    expect(await tryCheckout(visitor, eventId)).toMatchObject({ status: 200 });
  });

  it('reserves once, even when copied, and buys once', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0);
    const { visitor } = await joined(app, eventId);
    const copy = app.visitor();
    copy.cookies.set('pass', visitor.cookies.get('pass') ?? '');

    await tryCheckout(visitor, eventId, 3);
    const opened = await tryCheckout(copy, eventId, 2);
    const reserved = () =>
      app.db
        .selectFrom('orders')
        .where('eventId', '=', eventId)
        .where('state', '=', 'reserved')
        .select('totalCents')
        .execute();
    expect(await reserved()).toEqual([{ totalCents: 48_00 }]);

    await pay(copy, opened.body.url, 'sam@example.com');
    await app.settle();
    expect(await tryCheckout(visitor, eventId)).toMatchObject({
      status: 409,
      body: { code: 'waiting-room.pass-used' },
    });
    const { body } = await join(visitor, eventId);
    expect(body.position).toBeGreaterThan(1);
    await app.advance({ seconds: 1 });
    expect(await tryCheckout(visitor, eventId)).toMatchObject({ status: 200 });
  });

  it('is kept per event', async () => {
    const [one, other] = [await eventWithWaitingRoom(app, 0), await eventWithWaitingRoom(app, 0)];
    const visitor = app.visitor();
    await join(visitor, one.eventId);
    await join(visitor, other.eventId);

    expect(await tryCheckout(visitor, one.eventId)).toMatchObject({ status: 200 });
    expect(await tryCheckout(visitor, other.eventId)).toMatchObject({ status: 200 });
  });
});

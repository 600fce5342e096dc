/** Passes whose pages are closed when they come up, and come back later. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/waiting-room.ts';
import { calledAt } from '#domain/waiting-room.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { eventWithWaitingRoom, join, joined, pollRoom, ratesIn, tryCheckout } from '#tests/support/waiting-room.ts';
import { pauseWaitingRoom, resumeWaitingRoom } from './open-room.ts';
import { readSale } from './sale.ts';
import { assignPositions } from './waiting-room.sql.ts';

/** Longer than a snapshot stays fresh. */
const STALE_MS = 600;
/** Longer than a pass counts as present. */
const ABSENT_MINUTES = 3;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
// Presence counts whole minutes: no test may cross into the next one while its visitors join.
beforeEach(() => app.advance({ seconds: 60 - app.now().getUTCSeconds() }));

/** Time passes, while these visitors' pages poll. */
function timeIn(eventId: string) {
  const watch = freezeMonotonicClock();
  return async (time: { minutes?: number; seconds?: number }, ...open: Visitor[]) => {
    await app.advance(time);
    // The second look is at what the first one's polls led to.
    for (let look = 0; look < 2; look++) {
      watch.advance(STALE_MS);
      await pollRoom(app, eventId);
      for (const visitor of open) expectOk(await visitor.call(contract.waitingRoom, { eventId }));
    }
  };
}

/** Passes that no page polls for. */
const abandon = (eventId: string, count: number) =>
  assignPositions(app.deps.db, [{ eventId, networkHash: null, count }], null);

const notYet = { status: 409, body: { code: 'waiting-room.not-your-turn' } };

async function visitorsOf(eventId: string, count: number) {
  const visitors: Visitor[] = [];
  for (let n = 0; n < count; n++) visitors.push((await joined(app, eventId)).visitor);
  return visitors;
}

const skipsOf = async (eventId: string) =>
  (
    await app.db
      .selectFrom('waitingRoomSkips')
      .where('eventId', '=', eventId)
      .select('position')
      .orderBy('position')
      .execute()
  ).map(({ position }) => position);

describe('absent passes', () => {
  it('do not hold up present ones: 500 abandoned ahead of 10 cost less than two seconds [ROOM-3]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0, 300);
    await abandon(eventId, 500);
    const visitors = await visitorsOf(eventId, 10);
    const [first, last] = [visitors[0], visitors.at(-1)];
    if (!first || !last) throw new Error('nobody came');
    const pass = timeIn(eventId);

    await pass({ seconds: 2 }, ...visitors);
    expect(await tryCheckout(first, eventId)).toMatchObject({ status: 200 });
    await pass({ seconds: 2 }, ...visitors);
    expect(await tryCheckout(last, eventId)).toMatchObject({ status: 200 });
  });

  it('do not hold up present ones in the draw [ROOM-3 ROOM-5]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 1, 300);
    const early = await visitorsOf(eventId, 5);
    await abandon(eventId, 200);
    const late = await visitorsOf(eventId, 5);
    const pass = timeIn(eventId);

    await pass({ minutes: 1 }, ...early, ...late);
    await pass({ seconds: 4 }, ...early, ...late);

    for (const visitor of [...early, ...late])
      expect(await tryCheckout(visitor, eventId)).toMatchObject({ status: 200 });
    const room = await pollRoom(app, eventId);
    const positions = await Promise.all(
      [...early, ...late].map(async (one) => expectOk(await join(one, eventId)).position),
    );
    expect(new Set(positions).size).toBe(10);
    expect(room.draw?.size).toBe(210);
  });

  it('are those whose pages were closed for two minutes, and no others [ROOM-3]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0, 1);
    const [, , gone, open, second] = await visitorsOf(eventId, 5);
    if (!gone || !open || !second) throw new Error('nobody came');
    const pass = timeIn(eventId);

    await pass({ minutes: 1 }, open, second);
    await pass({ minutes: 1 }, open, second);
    expect(await skipsOf(eventId)).toEqual([]);
    await pass({ minutes: 1 }, open, second);
    await pass({ minutes: 1 }, second);
    await pass({ minutes: 1 }, second);
    expect(await skipsOf(eventId)).toEqual([]);
  });

  it('do not include a pass that was just issued by another server [ROOM-3]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0, 60);
    const { visitor } = await joined(app, eventId);

    await readSale(anotherServer(app.deps), eventId);

    expect(await skipsOf(eventId)).toEqual([]);
    expect(await tryCheckout(visitor, eventId)).toMatchObject({ status: 200 });
  });
});

describe('a skipped pass whose page comes back', () => {
  async function skippedFourth() {
    const { eventId } = await eventWithWaitingRoom(app, 0, 1);
    const [, , , gone, next, last] = await visitorsOf(eventId, 6);
    if (!gone || !next || !last) throw new Error('nobody came');
    const pass = timeIn(eventId);
    await pass({ minutes: 2 }, next, last);
    await pass({ minutes: 1, seconds: 1 }, next, last);
    expect(await skipsOf(eventId)).toEqual([4]);
    return { eventId, gone, next, last, pass };
  }

  it('is served before the next number, which waits for one turn more [ROOM-4]', async () => {
    const { eventId, gone, next, last, pass } = await skippedFourth();
    expect(await tryCheckout(next, eventId)).toMatchObject({ status: 200 });

    await pass({ seconds: 20 }, next, last);
    const { returnsAt } = expectOk(await join(gone, eventId));
    await pass({ seconds: 5 }, last, gone);
    const lastAt = calledAt(6, ratesIn(await pollRoom(app, eventId))).getTime();
    expect(lastAt - Date.parse(returnsAt ?? '')).toBe(60_000);
    expect(await tryCheckout(gone, eventId)).toMatchObject(notYet);

    await pass({ seconds: 40 }, last, gone);
    expect(await tryCheckout(last, eventId)).toMatchObject(notYet);
    expect(await tryCheckout(gone, eventId)).toMatchObject({ status: 200 });
    await pass({ minutes: 1 }, last);
    expect(await tryCheckout(last, eventId)).toMatchObject({ status: 200 });
  });

  it('comes up also an hour later, and not sooner by trying to check out [ROOM-4]', async () => {
    const { eventId, gone, pass } = await skippedFourth();
    await pass({ minutes: 60 });

    expect(await tryCheckout(gone, eventId)).toMatchObject(notYet);
    await pass({ minutes: 1 });
    expect(await tryCheckout(gone, eventId)).toMatchObject({ status: 200 });
  });

  it('gets a turn of its own when two come back at once [ROOM-4]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0, 1);
    const [, , , gone, other, open] = await visitorsOf(eventId, 6);
    if (!gone || !other || !open) throw new Error('nobody came');
    const pass = timeIn(eventId);
    await pass({ minutes: 2 }, open);
    await pass({ minutes: 1, seconds: 1 }, open);
    expect(await skipsOf(eventId)).toEqual([4, 5]);

    const { back } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('waitingRooms').where('eventId', '=', eventId).selectAll().forUpdate().execute();
      const back = Promise.all([join(gone, eventId), join(other, eventId)]);
      await app.untilBlocked(2);
      return { back };
    });

    const turns = (await back).map((answer) => Date.parse(expectOk(answer).returnsAt ?? ''));
    expect(Math.abs(Number(turns[0]) - Number(turns[1]))).toBe(60_000);
    const again = [await join(gone, eventId), await join(other, eventId)].map((answer) =>
      Date.parse(expectOk(answer).returnsAt ?? ''),
    );
    expect(again).toEqual(turns);
  });

  it('keeps its turn through a pause of the sale [ROOM-4]', async () => {
    const { eventId, gone, pass } = await skippedFourth();
    await pass({ minutes: 60 });
    expectOk(await join(gone, eventId));
    await pass({ minutes: 1 }, gone);

    await pauseWaitingRoom(app.db, eventId, app.now());
    await pass({ minutes: 30 });
    await resumeWaitingRoom(app.db, eventId, app.now());
    await pass({ seconds: 1 });

    expect(await tryCheckout(gone, eventId)).toMatchObject({ status: 200 });
  });

  it('comes up again with the others after a pause that began before its turn was over [ROOM-4]', async () => {
    const { eventId, gone, pass } = await skippedFourth();
    await pauseWaitingRoom(app.db, eventId, app.now());
    await pass({ minutes: 30 }, gone);
    await resumeWaitingRoom(app.db, eventId, app.now());
    await pass({ seconds: 1 }, gone);

    // The first three have left.
    expect(await skipsOf(eventId)).toEqual([1, 2, 3]);
    expect(await tryCheckout(gone, eventId)).toMatchObject({ status: 200 });
  });

  it('has its turn for ten minutes, then it has passed [ROOM-4]', async () => {
    const { eventId, gone, pass } = await skippedFourth();
    expectOk(await join(gone, eventId));
    await pass({ minutes: 11, seconds: ABSENT_MINUTES }, gone);

    expect(await tryCheckout(gone, eventId)).toMatchObject({ body: { code: 'waiting-room.turn-passed' } });
    expect(expectOk(await join(gone, eventId)).position).toBeGreaterThan(6);
  });
});

describe('the records of a room', () => {
  it('are purged: presence after 15 minutes, skips once the event has ended [ROOM-3]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 0, 1);
    await abandon(eventId, 2);
    await visitorsOf(eventId, 1);
    await timeIn(eventId)({ seconds: 1 });
    const rowsOf = async (table: 'waitingRoomPresence' | 'waitingRoomSkips') =>
      (await app.db.selectFrom(table).where('eventId', '=', eventId).select('eventId').execute()).length;

    await purge(app.deps);
    expect([await rowsOf('waitingRoomPresence'), await rowsOf('waitingRoomSkips')]).toEqual([1, 2]);
    await app.advance({ minutes: 17 });
    await purge(app.deps, { pageSize: 1 });
    expect([await rowsOf('waitingRoomPresence'), await rowsOf('waitingRoomSkips')]).toEqual([0, 2]);
    await app.advance({ minutes: 3 * 24 * 60 });
    await purge(app.deps, { pageSize: 1 });
    expect(await rowsOf('waitingRoomSkips')).toBe(0);
  });
});

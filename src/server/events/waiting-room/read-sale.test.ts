import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as contract from '#contract/waiting-room.ts';
import type { Db } from '#server/platform/database.ts';
import { type FrozenClock, freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import {
  blockedSalePolls,
  countBlockedPolls,
  eventWithWaitingRoom,
  join,
  joined,
  pollRoom,
  tryCheckout,
} from '#tests/support/waiting-room.ts';

/** Longer than a look is fresh. */
const STALE_MS = 600;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('A waiting room whose database fails', () => {
  it('goes on telling what it knows when the connection breaks', async () => {
    const watch = freezeMonotonicClock();
    const event = await eventWithTwo();

    for (const [asks, expected] of [
      [() => app.call(contract.waitingRoom, event), { status: 200, body: { paces: event.paces } }],
      [() => join(event.second, event.eventId), { status: 200, body: { place: 2 } }],
      [
        () => tryCheckout(event.second, event.eventId),
        { status: 409, body: { msg: contract.turnErrors['not-your-turn'] } },
      ],
    ] as const) {
      const asked = await whileStuck(watch, async () => {
        const waiting = await askUntilLookWaits<unknown>(asks);
        await breakLooks(app.db);
        return waiting;
      });
      expect(await asked.answer).toMatchObject(expected);
    }
    expect(await pollRoom(app, event.eventId)).toMatchObject({ paces: event.paces });
  });

  it('asks it once while it does not answer, and lets nobody else wait for that', async () => {
    const watch = freezeMonotonicClock();
    const { eventId } = await eventWithTwo();

    await whileStuck(watch, async () => {
      await pollRoom(app, eventId);
      await withoutTimers(async () => {
        for (let time = 1; time <= 5; time++) await pollRoom(app, eventId);
      });

      expect(await countBlockedPolls(app.db)).toBe(1);
    });
    const later = await joined(app, eventId);
    const givenAsOfNow = async () => {
      watch.advance(STALE_MS);
      return (await pollRoom(app, eventId)).given;
    };
    // The look that was stuck may still be under way.
    await expect.poll(givenAsOfNow).toBe(later.place);
  });
});

async function eventWithTwo() {
  const { eventId } = await eventWithWaitingRoom(app, 0, 1);
  await joined(app, eventId);
  const { visitor: second } = await joined(app, eventId);
  const { paces } = await pollRoom(app, eventId);
  return { eventId, second, paces };
}

/** While a look at the database takes as long as the test wants, and the last one is no longer fresh. */
function whileStuck<T>(watch: FrozenClock, work: () => Promise<T>): Promise<T> {
  return app.db.transaction().execute(async (stuck) => {
    await sql`lock table events, waiting_rooms in access exclusive mode`.execute(stuck);
    watch.advance(STALE_MS);
    return work();
  });
}

/** Asks again where the pool has handed out the connection that was broken before: then the look failed at once. */
async function askUntilLookWaits<T>(ask: () => Promise<T>): Promise<{ answer: Promise<T> }> {
  let answer = ask();
  let isAnswered = false;
  const note = () => {
    isAnswered = true;
  };
  void answer.then(note);
  await expect
    .poll(async () => {
      const looks = await countBlockedPolls(app.db);
      if (looks === 0 && isAnswered) {
        isAnswered = false;
        answer = ask();
        void answer.then(note);
      }
      return looks;
    })
    .toBe(1);
  return { answer };
}

/** While no timer fires: what waits for one stays away. */
async function withoutTimers(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await work();
  vi.useRealTimers();
}

/** As a restart of PostgreSQL does. */
async function breakLooks(db: Db): Promise<void> {
  await sql`select pg_terminate_backend(pid) from ${blockedSalePolls}`.execute(db);
}

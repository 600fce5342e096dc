import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as contract from '#contract/app/waiting-room.ts';
import type { Db } from '#server/platform/database.ts';
import { errorBody } from '#tests/support/error-body.ts';
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

/** Longer than a snapshot stays fresh. */
const STALE_MS = 600;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('a waiting room whose database fails', () => {
  it('serves the last snapshot when the connection breaks', async () => {
    const watch = freezeMonotonicClock();
    const event = await eventWithTwoArrivals();

    for (const [request, expected] of [
      [() => app.call(contract.waitingRoom, event), { status: 200, body: { rates: event.rates } }],
      [() => join(event.second, event.eventId), { status: 200, body: { position: 2 } }],
      [() => tryCheckout(event.second, event.eventId), { status: 409, body: errorBody('waiting-room.not-your-turn') }],
    ] as const) {
      const pending = await whileOpen(watch, async () => {
        const waiting = await requestUntilBlocked<unknown>(request);
        await terminateQueries(app.db);
        return waiting;
      });
      expect(await pending.answer).toMatchObject(expected);
    }
    expect(await pollRoom(app, event.eventId)).toMatchObject({ rates: event.rates });
  });

  it('runs one query while the database is stuck, without blocking other requests', async () => {
    const watch = freezeMonotonicClock();
    const { eventId } = await eventWithTwoArrivals();

    await whileOpen(watch, async () => {
      await pollRoom(app, eventId);
      await withoutTimers(async () => {
        for (let time = 1; time <= 5; time++) await pollRoom(app, eventId);
      });

      expect(await countBlockedPolls(app.db)).toBe(1);
    });
    const later = await joined(app, eventId);
    const givenNow = async () => {
      watch.advance(STALE_MS);
      return (await pollRoom(app, eventId)).lastPass;
    };
    // The stuck query may still be running.
    await expect.poll(givenNow).toBe(later.position);
  });
});

async function eventWithTwoArrivals() {
  const { eventId } = await eventWithWaitingRoom(app, 0, 1);
  await joined(app, eventId);
  const { visitor: second } = await joined(app, eventId);
  const { rates } = await pollRoom(app, eventId);
  return { eventId, second, rates };
}

/** Runs `work` while queries for the sale block and the last snapshot is stale. */
function whileOpen<T>(watch: FrozenClock, work: () => Promise<T>): Promise<T> {
  return app.db.transaction().execute(async (stuck) => {
    await sql`lock table events, waiting_rooms in access exclusive mode`.execute(stuck);
    watch.advance(STALE_MS);
    return work();
  });
}

/** Repeats the request if the pool handed out a broken connection, because that query failed immediately. */
async function requestUntilBlocked<T>(ask: () => Promise<T>): Promise<{ answer: Promise<T> }> {
  let answer = ask();
  let isAnswered = false;
  const markAnswered = () => {
    isAnswered = true;
  };
  void answer.then(markAnswered);
  await expect
    .poll(async () => {
      const queries = await countBlockedPolls(app.db);
      if (queries === 0 && isAnswered) {
        isAnswered = false;
        answer = ask();
        void answer.then(markAnswered);
      }
      return queries;
    })
    .toBe(1);
  return { answer };
}

/** Runs `work` while no timer fires. */
async function withoutTimers(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await work();
  vi.useRealTimers();
}

/** Terminates connections like a PostgreSQL restart. */
async function terminateQueries(db: Db): Promise<void> {
  await sql`select pg_terminate_backend(pid) from ${blockedSalePolls}`.execute(db);
}

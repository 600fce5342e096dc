import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/waiting-room.ts';
import type { Db } from '#server/database.ts';
import { eventWithRoom, join, joined, lookInside, tryCheckout } from '#tests/support/waiting-room.ts';
import { openWorld, type World } from '#tests/support/world.ts';

/** Longer than a look is fresh. */
const STALE_MS = 600;

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe('A waiting room whose database fails', () => {
  it('goes on telling what it knows when the connection breaks', async () => {
    const event = await eventWithTwo();

    for (const [asks, expected] of [
      [() => world.call(contract.waitingRoom, event), { status: 200, body: { paces: event.paces } }],
      [() => join(event.second, event.eventId), { status: 200, body: { place: 2 } }],
      [
        () => tryCheckout(event.second, event.eventId),
        { status: 409, body: { msg: contract.turnRefusals['not-your-turn'] } },
      ],
    ] as const) {
      const answer = await whileStuck(async () => {
        const asked = asks();
        await world.untilSomeoneWaits();
        await breakLooks(world.db);
        return { asked };
      });
      expect(await answer.asked).toMatchObject(expected);
    }
    expect(await lookInside(world, event.eventId)).toMatchObject({ paces: event.paces });
  });

  it('asks it once while it does not answer, and lets nobody else wait for that', async () => {
    const { eventId } = await eventWithTwo();

    await whileStuck(async () => {
      await lookInside(world, eventId);
      const askedAt = performance.now();
      for (let time = 1; time <= 5; time++) await lookInside(world, eventId);

      expect(performance.now() - askedAt).toBeLessThan(1_000);
      expect(await looksUnderWay(world.db)).toBe(1);
    });
    const later = await joined(world, eventId);
    await expect.poll(async () => (await lookInside(world, eventId)).given).toBe(later.place);
  });
});

async function eventWithTwo() {
  const { eventId } = await eventWithRoom(world, 0, 1);
  await joined(world, eventId);
  const { visitor: second } = await joined(world, eventId);
  const { paces } = await lookInside(world, eventId);
  return { eventId, second, paces };
}

/** While a look at the database takes as long as the test wants, and the last one is no longer fresh. */
function whileStuck<T>(work: () => Promise<T>): Promise<T> {
  return world.db.transaction().execute(async (stuck) => {
    await sql`lock table events, waiting_rooms in access exclusive mode`.execute(stuck);
    await new Promise((resolve) => setTimeout(resolve, STALE_MS));
    return work();
  });
}

const looks = sql`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  and query like '%is_draw_due%' and query not like '%pg_stat_activity%'`;

/** As a restart of PostgreSQL does. */
async function breakLooks(db: Db): Promise<void> {
  await sql`select pg_terminate_backend(pid) from ${looks}`.execute(db);
}

async function looksUnderWay(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${looks}`.execute(db);
  return rows[0]?.count;
}

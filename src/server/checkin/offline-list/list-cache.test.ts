import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { errorText } from '#messages/errors.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { sellMany } from '#tests/support/many-guests.ts';
import { freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { eventOnSale } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { OfflineListCache } from './list-cache.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const SALT = 'salt';
const ANY_TIME = 0;
const FUTURE = Number.MAX_SAFE_INTEGER;

async function eventWithTickets(tickets: number): Promise<string> {
  const { eventId } = await eventOnSale(app);
  await sellMany(app.db, eventId, tickets);
  return eventId;
}

describe('the cache of offline lists', () => {
  it('reads a list once for concurrent requests', async () => {
    const eventId = await eventWithTickets(20);
    const lists = new OfflineListCache(app.deps.db);

    const all = await Promise.all(Array.from({ length: 50 }, () => lists.current(eventId, SALT, ANY_TIME)));

    expect(new Set(all).size).toBe(1);
    expect(all[0]?.tally.types[0]).toEqual({ sold: 20, admitted: 0 });
  });

  it('reads a list again only once it is stale, even for a cursor in the future', async () => {
    const eventId = await eventWithTickets(20);
    const lists = new OfflineListCache(app.deps.db);
    const first = await lists.current(eventId, SALT, FUTURE);

    const next = await lists.current(eventId, SALT, FUTURE);

    expect(next).not.toBe(first);
    expect(performance.now()).toBeGreaterThanOrEqual(first.freshUntil);
    expect(next.table).toBe(first.table);
  });

  it('never returns an older list than another process returned', async () => {
    const eventId = await eventWithTickets(20);
    const [here, there] = [new OfflineListCache(app.deps.db), new OfflineListCache(app.deps.db)];
    await here.current(eventId, SALT, ANY_TIME);
    await sql`update tickets set state = 'scanned', scanned_at = now() where event_id = ${eventId}`.execute(app.db);
    const { readAt } = await there.current(eventId, SALT, ANY_TIME);

    const list = await here.current(eventId, SALT, readAt);

    expect(list.readAt).toBeGreaterThanOrEqual(readAt);
    expect(list.tally.types[0]).toEqual({ sold: 20, admitted: 20 });
  });

  it('evicts the least recently used list when it is full', async () => {
    const events = [await eventWithTickets(2), await eventWithTickets(3), await eventWithTickets(4)];
    const [first = '', second = '', third = ''] = events;
    const alone = await new OfflineListCache(app.deps.db).current(first, SALT, ANY_TIME);
    const lists = new OfflineListCache(app.deps.db, alone.table.bytes * 2);
    // With a stopped clock, reading takes no time and no list is ever fresh: the table stays the same while it is cached.
    freezeMonotonicClock();
    const tableOf = async (eventId: string) => (await lists.current(eventId, SALT, ANY_TIME)).table;
    const before = [await tableOf(first), await tableOf(second), await tableOf(first), await tableOf(third)];

    expect(before[2]).toBe(before[0]);
    expect(await tableOf(first)).toBe(before[0]);
    expect(await tableOf(second)).not.toBe(before[1]);
  });

  it('keeps serving other lists after a read fails', async () => {
    const eventId = await eventWithTickets(2);
    const lists = new OfflineListCache(app.deps.db);

    const [unknown, known] = await Promise.allSettled([
      lists.current(newPublicId(), SALT, ANY_TIME),
      lists.current(eventId, SALT, ANY_TIME),
    ]);

    expect(unknown).toMatchObject({ status: 'rejected', reason: { message: errorText('event.not-found') } });
    expect(known.status).toBe('fulfilled');
  });
});

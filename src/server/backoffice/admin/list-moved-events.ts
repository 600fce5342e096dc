import type { adminMovedEvents } from '#contract/app/admin.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Deps } from '#server/platform/deps.ts';
import { movedEvents } from './moved-events.sql.ts';

const SHOWN = 20;

export async function listMovedEvents({ db }: Pick<Deps, 'db'>): Promise<ReplyOf<typeof adminMovedEvents>> {
  const rows = await movedEvents(db, SHOWN);
  const events = rows.map(({ total: _total, startedAt, startsAt, movedAt, ...event }) => ({
    ...event,
    startedAt: startedAt.toISOString(),
    startsAt: startsAt.toISOString(),
    movedAt: movedAt.toISOString(),
  }));
  return { events, total: rows[0]?.total ?? 0 };
}

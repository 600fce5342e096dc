import type { adminReports } from '#contract/app/abuse-reports.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Deps } from '#server/platform/deps.ts';
import { reportedEvents } from './reports.sql.ts';

const SHOWN = { events: 20, reportsOfEach: 5 };

export async function listReports({ db }: Pick<Deps, 'db'>): Promise<ReplyOf<typeof adminReports>> {
  const rows = await reportedEvents(db, SHOWN);
  const events = rows.map(({ total: _total, reports, ...event }) => ({
    ...event,
    reports: reports.map(({ at, ...report }) => ({ ...report, at: new Date(at).toISOString() })),
  }));
  return { events, total: rows[0]?.total ?? 0 };
}

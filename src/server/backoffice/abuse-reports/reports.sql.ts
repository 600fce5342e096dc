import { type Insertable, sql } from 'kysely';
import type { ReportReason } from '#contract/app/abuse-reports.ts';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

/** Keeps the first of two with the same ID. */
export async function insertReport(db: Db, report: Insertable<Schema['abuseReports']>): Promise<void> {
  await db
    .insertInto('abuseReports')
    .values(report)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function isPublished(db: Db, eventId: string): Promise<boolean> {
  const event = await db.selectFrom('events').where('id', '=', eventId).select('isPublished').executeTakeFirst();
  return event?.isPublished ?? false;
}

export interface ReportedEventRow {
  eventId: string;
  title: string;
  organization: string | null;
  count: number;
  networks: number;
  reports: { id: string; at: string; reason: ReportReason; text: string }[];
  total: number;
}

/** Reports from this machine count as one network. */
export async function reportedEvents(
  db: Db,
  { events, reportsOfEach }: { events: number; reportsOfEach: number },
): Promise<ReportedEventRow[]> {
  const { rows } = await sql<ReportedEventRow>`
    select e.id as event_id, e.title, o.name as organization, open.count, open.networks, open.total,
           (select json_agg(json_build_object('id', n.id, 'at', n.at, 'reason', n.reason, 'text', n.text) order by n.at desc, n.id)
              from (select * from abuse_reports r where r.event_id = e.id and r.handled_at is null
                     order by r.at desc, r.id limit ${reportsOfEach}) as n) as reports
      from (select event_id, count(*)::int as count, count(distinct coalesce(network_hash, -1))::int as networks,
                   count(*) over ()::int as total, max(at) as newest
              from abuse_reports where handled_at is null
             group by event_id
             order by networks desc, newest desc, event_id
             limit ${events}) as open
      join events e on e.id = open.event_id
      join organizations o on o.id = e.organization_id
     order by open.networks desc, open.newest desc, e.id`.execute(db);
  return rows;
}

/** How many reports were unhandled. */
export async function markHandled(
  db: Db,
  { eventId, handledBy, at }: { eventId: string; handledBy: string; at: Date },
): Promise<number> {
  const handled = await db
    .updateTable('abuseReports')
    .set({ handledAt: at, handledBy })
    .where('eventId', '=', eventId)
    .where('handledAt', 'is', null)
    .returning('id')
    .execute();
  return handled.length;
}

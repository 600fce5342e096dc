import { sql } from 'kysely';
import { LISTED_CHANGES_MAX } from '#domain/limits.ts';
import { type PageContent, REFUND_POLICY } from '#domain/sales/page-versions.ts';
import type { Db } from '#server/platform/database.ts';

/** What the page shows now, next to its last version. `before` is null of an event that was never published. */
export async function presentContent(db: Db, eventId: string) {
  const { rows } = await sql<{
    version: number;
    content: PageContent;
    hash: string;
    before: PageContent | null;
    isSame: boolean;
    sellingTypes: string[];
    versionsToday: number;
    now: Date;
  }>`
    select e.page_version as version, p.content, content_hash(p.content) as hash, b.content as before,
           content_hash(p.content) is not distinct from v.hash as is_same, business_now() as now,
           array(select t.id from ticket_types t where t.event_id = e.id and t.reserved > 0) as selling_types,
           (select count(*)::int from event_page_versions d
             where d.event_id = e.id and d.version > 0 and d.changed_at > business_now() - interval '1 day') as versions_today
      from events e
     cross join lateral (select page_content(e, ${REFUND_POLICY}) as content offset 0) as p
      left join event_page_versions v on v.event_id = e.id and v.version = e.page_version
      left join event_page_contents b on b.event_id = v.event_id and b.hash = v.hash
     where e.id = ${eventId}`.execute(db);
  return rows[0];
}

export interface NewVersion {
  version: number;
  hash: string;
  content: PageContent;
  isListed: boolean;
  repricedTypes: string[];
  changedAt: Date;
}

/** Makes it the event's present version. The caller holds the event's lock. */
export async function insertVersion(
  tx: Db,
  eventId: string,
  { version, hash, content, isListed, repricedTypes, changedAt }: NewVersion,
): Promise<void> {
  await sql`
    insert into event_page_contents (event_id, hash, content) values (${eventId}, ${hash}, ${JSON.stringify(content)})
        on conflict (event_id, hash) do nothing`.execute(tx);
  await tx
    .insertInto('eventPageVersions')
    .values({ eventId, version, hash, changedAt, isListed, repricedTypes })
    .execute();
  await tx.updateTable('events').set({ pageVersion: version }).where('id', '=', eventId).execute();
}

/** The contents of those versions that exist. */
export async function contentsOf(db: Db, eventId: string, versions: readonly number[]) {
  return db
    .selectFrom('eventPageVersions as v')
    .innerJoin('eventPageContents as c', (join) =>
      join.onRef('c.eventId', '=', 'v.eventId').onRef('c.hash', '=', 'v.hash'),
    )
    .where('v.eventId', '=', eventId)
    .where('v.version', 'in', versions)
    .select(['v.version', 'c.content'])
    .execute();
}

export async function publishedEvent(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('isPublished', '=', true)
    .select(['title', 'timezone'])
    .executeTakeFirst();
}

/** The listed changes, newest first, each with what the version before it showed. */
export async function listedVersions(db: Db, eventId: string) {
  return db
    .selectFrom('eventPageVersions as v')
    .innerJoin('eventPageContents as c', (join) =>
      join.onRef('c.eventId', '=', 'v.eventId').onRef('c.hash', '=', 'v.hash'),
    )
    .innerJoin('eventPageVersions as p', (join) =>
      join.onRef('p.eventId', '=', 'v.eventId').on('p.version', '=', sql<number>`v.version - 1`),
    )
    .innerJoin('eventPageContents as b', (join) =>
      join.onRef('b.eventId', '=', 'p.eventId').onRef('b.hash', '=', 'p.hash'),
    )
    .where('v.eventId', '=', eventId)
    .where('v.isListed', '=', true)
    .select(['v.version', 'v.changedAt', 'v.repricedTypes', 'c.content as after', 'b.content as before'])
    .orderBy('v.version', 'desc')
    .limit(LISTED_CHANGES_MAX)
    .execute();
}

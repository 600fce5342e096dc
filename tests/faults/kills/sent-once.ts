/** Checks that every email was sent exactly once. */
import { CompiledQuery } from 'kysely';
import { retentionDays } from '#domain/retention.ts';
import type { Db } from '#server/platform/database.ts';

/** Purged copies are ignored. */
export async function emailsNotSentOnce(db: Db): Promise<string[]> {
  const { rows } = await db.executeQuery<{ row: string }>(
    CompiledQuery.raw(
      `
      select concat_ws(' ', m.kind, m.to_address, 'arrived', count(i.id)) as "row"
        from email_outbox m
        left join inbox_messages i on i.message_id like '%' || m.id || '%'
       where m.state = 'queued' or m.sent_at > business_now() - make_interval(days => $1::int)
       group by m.id having count(i.id) <> 1`,
      [retentionDays.emailCopy],
    ),
  );
  return rows.map(({ row }) => row);
}

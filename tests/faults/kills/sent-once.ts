/** Whether every mail left the house, and none left it twice. */
import { CompiledQuery } from 'kysely';
import type { Db } from '#server/database.ts';

export async function mailsNotSentOnce(db: Db): Promise<string[]> {
  const { rows } = await db.executeQuery<{ mail: string }>(
    CompiledQuery.raw(`
      select concat_ws(' ', m.kind, m.to_address, 'arrived', count(i.id)) as mail
        from mail_outbox m
        left join inbox_messages i on i.message_id like '%' || m.id || '%'
       group by m.id having count(i.id) <> 1`),
  );
  return rows.map(({ mail }) => mail);
}

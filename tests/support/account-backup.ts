import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { actorOf } from './actor-of.ts';

/** Copies an organizer without events. The returned function restores the copy, whatever the database now says. */
export async function backUpAccount(db: Db, email: string) {
  const { userId, organizationId } = await actorOf(db, email);
  const { rows } = await sql<Record<'person' | 'organization' | 'membership', string>>`
    select to_json(u)::text as person, to_json(o)::text as organization, to_json(m)::text as membership
      from users u join memberships m on m.user_id = u.id join organizations o on o.id = m.organization_id
     where u.id = ${userId}`.execute(db);
  const [copy] = rows;
  if (!copy) throw new Error(`${email} is not registered`);

  async function restore(): Promise<void> {
    await sql`delete from users where id = ${userId}`.execute(db);
    await sql`delete from organizations where id = ${organizationId}`.execute(db);
    await sql`insert into users select * from json_populate_record(null::users, ${copy?.person}::json)`.execute(db);
    await sql`insert into organizations
              select * from json_populate_record(null::organizations, ${copy?.organization}::json)`.execute(db);
    await sql`insert into memberships
              select * from json_populate_record(null::memberships, ${copy?.membership}::json)`.execute(db);
  }
  return { userId, organizationId, restore };
}

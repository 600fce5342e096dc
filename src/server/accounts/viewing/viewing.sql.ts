import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface ViewedOrganization {
  id: string;
  name: string | null;
}

/** By its ID, or by the email address of an owner. */
export async function findOrganizationToView(db: Db, wanted: string): Promise<ViewedOrganization | undefined> {
  const { rows } = await sql<ViewedOrganization>`
    select o.id, o.name from organizations o
     where o.erased_at is null
       and (o.id::text = lower(${wanted})
            or o.id = (select m.organization_id from memberships m join users u on u.id = m.user_id
                        where lower(u.email) = lower(${wanted}) and m.role = 'owner' order by m.joined_at limit 1))`.execute(
    db,
  );
  return rows[0];
}

/** Nulls end it. */
export async function setViewing(
  db: Db,
  sessionId: string,
  { actingAs, actingUntil }: { actingAs: string | null; actingUntil: Date | null },
): Promise<void> {
  await db.updateTable('sessions').set({ actingAs, actingUntil }).where('id', '=', sessionId).execute();
}

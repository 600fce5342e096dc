import { type Insertable, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

export function capacityRowsOf(db: Db, eventId: string) {
  return db.selectFrom('sharedCapacities').where('eventId', '=', eventId).selectAll().orderBy('position').execute();
}

export function memberRowsOf(db: Db, eventId: string) {
  return db.selectFrom('sharedCapacityMembers').where('eventId', '=', eventId).selectAll().execute();
}

/** In the order of their ids, like every sale. */
export async function lockCapacities(db: Db, eventId: string): Promise<void> {
  const own = db.selectFrom('sharedCapacities').where('eventId', '=', eventId);
  await own.select('id').orderBy('id').forNoKeyUpdate().execute();
}

export async function deleteMembers(db: Db, eventId: string, typeIds: readonly string[] | 'all'): Promise<void> {
  if (typeIds.length === 0) return;
  const members = db.deleteFrom('sharedCapacityMembers').where('eventId', '=', eventId);
  await (typeIds === 'all' ? members : members.where('ticketTypeId', 'in', typeIds)).execute();
}

export async function insertMembers(
  db: Db,
  members: readonly Insertable<Schema['sharedCapacityMembers']>[],
): Promise<void> {
  if (members.length > 0) await db.insertInto('sharedCapacityMembers').values(members).execute();
}

export async function deleteCapacities(db: Db, eventId: string, except: readonly string[]): Promise<void> {
  const own = db.deleteFrom('sharedCapacities').where('eventId', '=', eventId);
  await (except.length === 0 ? own : own.where('id', 'not in', except)).execute();
}

/** Sets temporary unique names, so that two capacities can then swap theirs. */
export async function clearCapacityNames(db: Db, eventId: string): Promise<void> {
  await db
    .updateTable('sharedCapacities')
    .set({ name: sql<string>`id::text` })
    .where('eventId', '=', eventId)
    .execute();
}

type Capacity = Insertable<Schema['sharedCapacities']>;

export async function upsertCapacities(db: Db, capacities: readonly Capacity[]): Promise<void> {
  if (capacities.length === 0) return;
  await db
    .insertInto('sharedCapacities')
    .values(capacities)
    .onConflict((conflict) =>
      conflict.columns(['eventId', 'id']).doUpdateSet(({ ref }) => ({
        position: ref('excluded.position'),
        name: ref('excluded.name'),
        capacity: ref('excluded.capacity'),
      })),
    )
    .execute();
}

/** Sales look for the capacities of marked types only. */
export async function markSharingTypes(db: Db, eventId: string): Promise<void> {
  await sql`
    update ticket_types t set shares_capacity = not t.shares_capacity
     where t.event_id = ${eventId}
       and t.shares_capacity <> exists (select from shared_capacity_members m where m.event_id = t.event_id and m.ticket_type_id = t.id)`.execute(
    db,
  );
}

import type { Insertable } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

/** With the role of the member who made it; undefined once that member has left. */
export function findKey(db: Db, keyId: string) {
  return db
    .selectFrom('apiKeys as k')
    .innerJoin('users as u', 'u.id', 'k.createdBy')
    .innerJoin('organizations as o', 'o.id', 'k.organizationId')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.organizationId', '=', 'k.organizationId').onRef('m.userId', '=', 'k.createdBy'),
    )
    .where('k.id', '=', keyId)
    .where('o.erasedAt', 'is', null)
    .select(['k.id as keyId', 'k.name as keyName', 'k.secretHash', 'k.scopes', 'k.onlyEventIds', 'k.organizationId'])
    .select([
      'k.expiresAt',
      'k.lastUsedAt',
      'k.revokedAt',
      'u.id as userId',
      'u.emailVerifiedAt',
      'm.role',
      'o.name as organizationName',
    ])
    .executeTakeFirst();
}

/** Of requests at the same time, one writes. */
export async function touchKey(
  db: Db,
  keyId: string,
  { at, before }: { at: Date; before: Date | null },
): Promise<void> {
  await db
    .updateTable('apiKeys')
    .set({ lastUsedAt: at })
    .where('id', '=', keyId)
    .where('lastUsedAt', 'is not distinct from', before)
    .execute();
}

export async function insertKey(db: Db, key: Insertable<Schema['apiKeys']>): Promise<void> {
  await db.insertInto('apiKeys').values(key).execute();
}

/** Newest first. */
export function keysOf(db: Db, organizationId: string) {
  return db
    .selectFrom('apiKeys as k')
    .innerJoin('users as u', 'u.id', 'k.createdBy')
    .where('k.organizationId', '=', organizationId)
    .selectAll('k')
    .select('u.email')
    .orderBy('k.createdAt', 'desc')
    .orderBy('k.id', 'desc')
    .execute();
}

/** Those that are neither revoked nor expired. */
export async function countLiveKeys(tx: Db, organizationId: string, now: Date): Promise<number> {
  const { keys } = await tx
    .selectFrom('apiKeys')
    .where('organizationId', '=', organizationId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .select((column) => column.fn.countAll<number>().as('keys'))
    .executeTakeFirstOrThrow();
  return keys;
}

/** False for an unknown key, and for one that was revoked before. */
export async function endKey(tx: Db, organizationId: string, keyId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('apiKeys')
    .set({ revokedAt: at })
    .where('organizationId', '=', organizationId)
    .where('id', '=', keyId)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface OutboxRow {
  kind: string;
  subjectId: string;
  version: number;
  toAddress: string;
  params: Record<string, string>;
  createdAt: Date;
  accountId: string | null;
}

/** Returns the new row's id, or nothing if this email is already queued. */
export async function insertEmail(db: Db, { params, ...row }: OutboxRow): Promise<string | undefined> {
  const inserted = await db
    .insertInto('emailOutbox')
    .values({ id: newId(), ...row, params: JSON.stringify(params) })
    .onConflict((conflict) => conflict.columns(['kind', 'subjectId', 'version']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

export async function nextVersion(db: Db, kind: string, subjectId: string): Promise<number> {
  const { newest } = await db
    .selectFrom('emailOutbox')
    .where('kind', '=', kind)
    .where('subjectId', '=', subjectId)
    .select((eb) => eb.fn.max('version').as('newest'))
    .executeTakeFirstOrThrow();
  return (newest ?? 0) + 1;
}

export function unsentEmail(db: Db, emailId: string) {
  return db
    .selectFrom('emailOutbox')
    .where('id', '=', emailId)
    .where('sentAt', 'is', null)
    .select(['id', 'kind', 'subjectId', 'toAddress', 'params'])
    .executeTakeFirst();
}

/** Clears the parameters, which may hold secrets such as tokens. */
export async function markEmailSent(db: Db, emailId: string, at: Date): Promise<void> {
  await db.updateTable('emailOutbox').set({ sentAt: at, params: '{}' }).where('id', '=', emailId).execute();
}

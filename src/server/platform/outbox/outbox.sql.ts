import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { ERASED_PREFIX } from '#server/platform/erased-address.ts';
import { lockNamespaces } from '#server/platform/locks.ts';

export interface OutboxRow {
  kind: string;
  subjectId: string;
  version: number;
  toAddress: string;
  params: Record<string, unknown>;
  createdAt: Date;
  accountId: string | null;
}

export async function insertEmail(db: Db, email: OutboxRow): Promise<void> {
  const { kind, subjectId, version, toAddress, params, createdAt, accountId } = email;
  await sql`
    select queue_emails(${kind}, array[${subjectId}], array[${toAddress}], array[${JSON.stringify(params)}::jsonb], ${createdAt},
                        ${version}::integer, ${accountId}::uuid)`.execute(db);
}

export interface LimitedOutboxRow {
  kind: string;
  subjectId: string;
  toAddress: string;
  params: Record<string, unknown>;
  createdAt: Date;
  accountId: string | null;
  recipientHash: Buffer;
  /** Emails to the recipient, and of the same subject; null without a limit. */
  hourMax: number | null;
  dayMax: number | null;
  sameSubjectMax: number | null;
}

/** Whether the email is going out. */
export async function insertLimitedEmail(db: Db, email: LimitedOutboxRow): Promise<boolean> {
  const { kind, subjectId, toAddress, params, createdAt, accountId, recipientHash, hourMax, dayMax, sameSubjectMax } =
    email;
  const { rows } = await sql<{ goesOut: boolean }>`
    select queue_limited_email(${kind}, ${subjectId}, ${toAddress}, ${JSON.stringify(params)}::jsonb, ${createdAt}, ${accountId}::uuid, ${recipientHash},
                               ${lockNamespaces.recipient}, ${hourMax}::integer, ${dayMax}::integer,
                               ${sameSubjectMax}::integer) as goes_out`.execute(db);
  return rows[0]?.goesOut ?? false;
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
    .where('state', '=', 'queued')
    .select(['id', 'kind', 'subjectId', 'toAddress', 'params', 'accountId'])
    .select(sql<boolean>`starts_with(to_address, ${ERASED_PREFIX})`.as('isErased'))
    .executeTakeFirst();
}

/** Clears the parameters, which may hold secrets such as tokens. */
export async function markEmailSent(db: Db, emailId: string): Promise<void> {
  await db
    .updateTable('emailOutbox')
    .set({ state: 'sent', sentAt: sql<Date>`business_now()`, params: '{}' })
    .where('id', '=', emailId)
    .execute();
}

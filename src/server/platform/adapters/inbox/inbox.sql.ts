import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface StoredMessage {
  messageId: string;
  toAddress: string;
  raw: Buffer;
  receivedAt: Date;
}

/** Ignores a repeated message: delivery is at least once. */
export async function storeMessage(db: Db, message: StoredMessage): Promise<void> {
  await db
    .insertInto('inboxMessages')
    .values({ id: newId(), ...message })
    .onConflict((conflict) => conflict.column('messageId').doNothing())
    .execute();
}

/** The newest messages, optionally of one address. */
export function messagesOf(db: Db, toAddress: string | undefined, limit: number) {
  return db
    .selectFrom('inboxMessages')
    .select(['id', 'raw', 'receivedAt'])
    .$if(toAddress !== undefined, (query) =>
      query.where((eb) => eb(eb.fn('lower', ['toAddress']), '=', toAddress?.toLowerCase() ?? '')),
    )
    .orderBy('receivedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export function messageById(db: Db, id: string) {
  return db.selectFrom('inboxMessages').select(['id', 'raw', 'receivedAt']).where('id', '=', id).executeTakeFirst();
}

import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface StoredMessage {
  messageId: string;
  toAddress: string;
  raw: Buffer;
  receivedAt: Date;
}

/** A message that comes again is the same message, so the first one stays. */
export async function storeMessage(db: Db, message: StoredMessage): Promise<void> {
  await db
    .insertInto('inboxMessages')
    .values({ id: newId(), ...message })
    .onConflict((conflict) => conflict.column('messageId').doNothing())
    .execute();
}

/** The newest messages, of everyone or of one address. */
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

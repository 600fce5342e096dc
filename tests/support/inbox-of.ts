import { messagesOf } from '#server/platform/adapters/inbox/inbox.sql.ts';
import { type ReadableMessage, readMessage } from '#server/platform/adapters/inbox/read-message.ts';
import type { Db } from '#server/platform/database.ts';

/** Emails to an address, newest first. */
export async function inboxOf(db: Db, address: string): Promise<ReadableMessage[]> {
  return Promise.all((await messagesOf(db, address, 50)).map(readMessage));
}

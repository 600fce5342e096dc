/** A hold of an event's payouts, by an operator: none is claimed or sent until it is released. */
import type { Db } from '#server/platform/database.ts';
import { deleteHold, insertHold, lockEventToHold } from './holds.sql.ts';

export const lockPayouts = (tx: Db, eventId: string): ReturnType<typeof lockEventToHold> =>
  lockEventToHold(tx, eventId);

/** False if nothing changed. */
export const holdPayouts = (
  tx: Db,
  hold: { eventId: string; heldAt: Date; heldBy: string; reason: string },
): Promise<boolean> => insertHold(tx, hold);

export const releasePayouts = (tx: Db, eventId: string): Promise<boolean> => deleteHold(tx, eventId);

import type { Db } from '#server/platform/database.ts';
import { updateEvent } from './edit-event.sql.ts';

/** Ends sales, edits, cancellation and refunds, in the transaction that claims the payout. The caller locks the event. */
export const closeForPayout = (tx: Db, eventId: string, at: Date): Promise<void> =>
  updateEvent(tx, eventId, { payoutRequestedAt: at });

/** Calls an event off, for good. Buyers' money and open checkouts follow in the background. */
import { cancelRefusals, eventNotFound } from '#contract/events.ts';
import { cancelObstacle } from '#domain/event-schedule.ts';
import { noteAct } from '#server/audit/note-act.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/jobs.sql.ts';
import { isPaidOut } from '#server/payouts/is-paid-out.ts';
import { conflict, notFound } from '#server/refusal.ts';
import { spendTry } from '#server/spend-try.ts';
import { markCancelled } from './cancel-event.sql.ts';
import { lockOwnEvent } from './edit-event.sql.ts';
import { countIssued } from './ticket-totals.sql.ts';

/** Cancelling a cancelled event changes nothing and is no error: the answer may have been lost the first time. */
export async function cancelEvent(
  { db, clock, tries }: Pick<Deps, 'db' | 'clock' | 'tries'>,
  organizerId: string,
  eventId: string,
): Promise<void> {
  await spendTry(tries, 'cancel-event', organizerId);
  await inTransaction(db, async (tx) => {
    const event = await lockOwnEvent(tx, organizerId, eventId);
    if (!event) throw notFound(eventNotFound);
    if (event.cancelledAt) return;
    const { endsAt, now } = event;
    const isPaid = await isPaidOut({ db: tx }, eventId);
    const hasEverSold = (await countIssued(tx, eventId)) > 0;
    const obstacle = cancelObstacle({ endsAt, isPaidOut: isPaid, hasEverSold }, now);
    if (obstacle) throw conflict(cancelRefusals[obstacle]);

    await markCancelled(tx, eventId);
    await noteAct(tx, { act: 'cancel-event', actorId: organizerId, subject: eventId, eventId, at: clock.now() });
    await enqueue(tx, 'close-checkouts', { eventId });
    await enqueue(tx, 'refund-cancelled-event', { eventId });
  });
}

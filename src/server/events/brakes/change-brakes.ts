/**
 * Brakes on the sale of one event. No reservation starts after the transaction commits; payments under way complete, or
 * return when their time is over.
 */
import { brakesOf } from '#server/accounts/suspension/suspension.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import { pauseWaitingRoom, resumeWaitingRoom } from '../waiting-room/open-room.ts';
import { type BrakeColumns, eventsToBrake, lockEventOnSale, updateBrakes } from './brakes.sql.ts';

type BrakedEvent = NonNullable<Awaited<ReturnType<typeof lockEventOnSale>>>;

/** Undefined for an unknown event. */
export const lockBrakes = (tx: Db, eventId: string): Promise<BrakedEvent | undefined> => lockEventOnSale(tx, eventId);

/** The waiting room stands still while any brake stops all sales. */
export async function changeBrakes(tx: Db, event: BrakedEvent, columns: BrakeColumns): Promise<void> {
  const wasPaused = event.pausedSales === 'all';
  const isPaused = (await updateBrakes(tx, event.id, columns)) === 'all';
  if (isPaused && !wasPaused) await pauseWaitingRoom(tx, event.id, event.now);
  if (wasPaused && !isPaused) await resumeWaitingRoom(tx, event.id, event.now);
}

/**
 * Copies what holds for the organization to its events, each in a transaction of its own: none locks the organization and an event.
 * Each reads what holds after it has locked its event, so concurrent copies end with the latest.
 */
export async function brakeEventsOf(db: Db, organizationId: string): Promise<void> {
  for (const eventId of await eventsToBrake(db, organizationId))
    await inTransaction(db, async (tx) => {
      const event = await lockEventOnSale(tx, eventId);
      if (!event) return;
      const { suspendedAt, paidSalesStoppedAt } = await brakesOf(tx, organizationId);
      if (isSame(suspendedAt, event.suspendedAt) && isSame(paidSalesStoppedAt, event.paidSalesStoppedAt)) return;
      await changeBrakes(tx, event, { suspendedAt, paidSalesStoppedAt });
    });
}

const isSame = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime();

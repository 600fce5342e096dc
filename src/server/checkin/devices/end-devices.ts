import type { Db } from '#server/platform/database.ts';
import { endDevicesOf, lockDevices } from './devices.sql.ts';

/** In the transaction that changed the code: whoever enters the old one in this moment is either ended, too, or finds the new one. */
export async function endAllDevices(tx: Db, eventId: string): Promise<void> {
  await lockDevices(tx, eventId);
  await endDevicesOf(tx, eventId);
}

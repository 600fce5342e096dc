import type { Attendant } from '#server/admission/read-grant.ts';
import type { Db } from '#server/database.ts';
import { noteSeen } from './touch-device.sql.ts';

/** Notes that a device is there, and how many scans it has not handed in yet. Null where it was removed. */
export async function touchDevice(
  db: Db,
  attendant: Attendant,
  pending: number,
): Promise<{ id: string; name: string; endsAt: Date | null } | null> {
  return (await noteSeen(db, { ...attendant, pending })) ?? null;
}

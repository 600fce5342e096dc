/** Suspension of an organization by an operator: it sells, edits and gets paid nothing until it is lifted. */
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import {
  findBrakes,
  findSuspension,
  lockToSuspend,
  type SuspensionColumns,
  updateSuspension,
} from './suspension.sql.ts';

export const lockSuspension = (tx: Db, organizationId: string): ReturnType<typeof lockToSuspend> =>
  lockToSuspend(tx, organizationId);

export const changeSuspension = (tx: Db, organizationId: string, columns: SuspensionColumns): Promise<void> =>
  updateSuspension(tx, organizationId, columns);

/** Null while the organization is not suspended. */
export async function suspensionOf(db: Db, organizationId: string): Promise<{ since: Date; reason: string } | null> {
  const { suspendedAt, suspendReason } = (await findSuspension(db, organizationId)) ?? {};
  return suspendedAt && suspendReason !== null && suspendReason !== undefined
    ? { since: suspendedAt, reason: suspendReason }
    : null;
}

/** Called under the lock of the organization or of one of its events: a suspension waits for both before it answers. */
export async function requireNotSuspended(tx: Db, organizationId: string): Promise<void> {
  const suspension = await suspensionOf(tx, organizationId);
  if (suspension) throw new AppError('org.suspended', { reason: suspension.reason });
}

/** What its events copy: since when nothing of it is sold, and no paid ticket. */
export const brakesOf = (tx: Db, organizationId: string): ReturnType<typeof findBrakes> =>
  findBrakes(tx, organizationId);

import { denyAnyEdit } from '#domain/event-schedule.ts';
import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { lockOwnEvent, lockTicketTypes } from './edit-event.sql.ts';

/** The event and its ticket types, locked against checkouts, cancellation and payouts. Denied once nothing of it can be edited. */
export async function lockToEdit(tx: Db, { organizationId }: Actor, eventId: string) {
  const event = await lockOwnEvent(tx, organizationId, eventId);
  if (!event) throw new AppError('event.not-found');
  await requireNotSuspended(tx, organizationId);
  const types = await lockTicketTypes(tx, event.id);
  const denial = denyAnyEdit({ ...event, isPaidOut: event.payoutRequestedAt !== null });
  if (denial) throw new AppError(`edit.${denial}`);
  return { event, types };
}

export type EventToEdit = Awaited<ReturnType<typeof lockToEdit>>;

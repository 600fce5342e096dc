import { type editTickets as call, type EventTickets } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { orderMaxOf } from '#contract/forms/ticket-sales.ts';
import { denyAnyEdit } from '#domain/event-schedule.ts';
import { ticketsUpdated } from '#messages/sales/ticket-settings.ts';
import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { authorizeEvent } from './authorize-event.ts';
import { changeTicketTypes, rejectStaleVersion } from './change-ticket-types.ts';
import { lockOwnEvent, lockTicketTypes, updateEvent } from './edit-event.sql.ts';
import { ticketTypeReply } from './event-columns.ts';
import { eventVersion } from './event-version.ts';
import { publicEventRow, ticketTypeRows } from './events.sql.ts';
import { matchTicketTypes } from './match-ticket-types.ts';
import { ticketTotals } from './totals/ticket-totals.sql.ts';

export async function readTickets({ db }: Pick<Deps, 'db'>, actor: Actor, eventId: string): Promise<EventTickets> {
  await authorizeEvent({ db }, actor, 'event.edit', eventId);
  const [event, types, totals] = await Promise.all([
    publicEventRow(db, eventId),
    ticketTypeRows(db, [eventId]),
    ticketTotals(db, [eventId]),
  ]);
  if (!event) throw new AppError('event.not-found');
  const { title, timezone, endsAt, maxPerOrder, feeTerms } = event;
  return {
    title,
    timezone,
    endsAt: endsAt.toISOString(),
    version: eventVersion(event, types),
    denial: denyAnyEdit({ ...event, isPaidOut: event.payoutRequestedAt !== null }),
    maxPerOrder,
    feeTerms,
    tickets: types.map((type) => ({
      ...ticketTypeReply(type),
      available: type.available,
      ticketsSold: totals.find(({ ticketTypeId }) => ticketTypeId === type.id)?.sold ?? 0,
    })),
  };
}

/** Existing orders and reservations keep what they have. */
export async function editTickets(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  edit: InputOf<typeof call>,
): Promise<{ msg: string }> {
  await authorizeEvent({ db }, actor, 'event.edit', edit.eventId);
  await inTransaction(db, async (tx) => {
    const event = await lockOwnEvent(tx, actor.organizationId, edit.eventId);
    if (!event) throw new AppError('event.not-found');
    await requireNotSuspended(tx, actor.organizationId);
    const types = await lockTicketTypes(tx, event.id);
    const denial = denyAnyEdit({ ...event, isPaidOut: event.payoutRequestedAt !== null });
    if (denial) throw new AppError(`edit.${denial}`);
    rejectStaleVersion(edit, eventVersion(event, types));

    const maxPerOrder = edit.maxPerOrder === undefined ? event.maxPerOrder : orderMaxOf(edit.maxPerOrder);
    const { timezone } = event;
    await changeTicketTypes(tx, event, matchTicketTypes(types, edit.tickets, { timezone, maxPerOrder }));
    await updateEvent(tx, event.id, { maxPerOrder });
    const { id: eventId } = event;
    await recordAuditEvent(tx, { action: 'edit-event', by: actor, subject: eventId, eventId, at: clock.now() });
  });
  return { msg: ticketsUpdated };
}

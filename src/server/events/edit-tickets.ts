import { createHash } from 'node:crypto';
import { type editTickets as call, type EventTickets } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { parseCapacity } from '#contract/forms/capacity-rows.ts';
import { orderMaxOf } from '#contract/forms/ticket-sales.ts';
import { denyAnyEdit } from '#domain/event-schedule.ts';
import { ticketsUpdated } from '#messages/sales/ticket-settings.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor, Editor } from '#server/platform/http/callers.ts';
import { authorizeEvent } from './authorize-event.ts';
import { readCapacities, saveCapacities } from './capacities/save-capacities.ts';
import { changeTicketTypes, rejectStaleVersion } from './change-ticket-types.ts';
import { updateEvent } from './edit-event.sql.ts';
import { ticketTypeReply } from './event-columns.ts';
import { eventVersion } from './event-version.ts';
import { eventRow, ticketTypeRows } from './events.sql.ts';
import { lockToEdit } from './lock-to-edit.ts';
import { matchTicketTypes } from './match-ticket-types.ts';
import { ticketTotals } from './totals/ticket-totals.sql.ts';
import { recordVersion } from './versions/record-version.ts';

export async function readTickets({ db }: Pick<Deps, 'db'>, actor: Actor, eventId: string): Promise<EventTickets> {
  await authorizeEvent({ db }, actor, 'event.edit', eventId);
  const [event, types, totals] = await Promise.all([
    eventRow(db, eventId),
    ticketTypeRows(db, [eventId]),
    ticketTotals(db, [eventId]),
  ]);
  if (!event) throw new AppError('event.not-found');
  const sharedCapacities = await readCapacities(db, eventId, types);
  const { title, timezone, endsAt, maxPerOrder, allowsRepeatedFreeOrders, allowsTicketTransfer, feeTerms } = event;
  return {
    title,
    timezone,
    endsAt: endsAt.toISOString(),
    version: ticketsVersion(event, types, sharedCapacities),
    denial: denyAnyEdit({ ...event, isPaidOut: event.payoutRequestedAt !== null }),
    maxPerOrder,
    allowsRepeatedFreeOrders,
    allowsTicketTransfer,
    feeTerms,
    sharedCapacities,
    tickets: types.map((type) => ({
      ...ticketTypeReply(type),
      available: type.availableToBuy,
      reserved: type.reserved,
      ticketsSold: totals.find(({ ticketTypeId }) => ticketTypeId === type.id)?.sold ?? 0,
    })),
  };
}

/** Existing orders and reservations keep what they have. */
export async function editTickets(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organizer: Editor,
  edit: InputOf<typeof call>,
): Promise<{ msg: string }> {
  await authorizeEvent({ db }, organizer, 'event.edit', edit.eventId);
  await inTransaction(db, async (tx) => {
    const { event, types } = await lockToEdit(tx, organizer, edit.eventId);
    rejectStaleVersion(edit, ticketsVersion(event, types, await readCapacities(tx, event.id, byPosition(types))));

    const maxPerOrder = edit.maxPerOrder === undefined ? event.maxPerOrder : orderMaxOf(edit.maxPerOrder);
    const { timezone } = event;
    await changeTicketTypes(tx, event, matchTicketTypes(types, edit.tickets, { timezone, maxPerOrder }), organizer);
    const {
      allowsRepeatedFreeOrders = event.allowsRepeatedFreeOrders,
      allowsTicketTransfer = event.allowsTicketTransfer,
    } = edit;
    await updateEvent(tx, event.id, { maxPerOrder, allowsRepeatedFreeOrders, allowsTicketTransfer });
    if (event.isPublished) await recordVersion(tx, event.id);
    if (edit.sharedCapacities)
      await saveCapacities(
        tx,
        event.id,
        edit.sharedCapacities.map(parseCapacity),
        await ticketTypeRows(tx, [event.id]),
      );
    const { id: eventId } = event;
    await recordAuditEvent(tx, { action: 'edit-event', by: organizer, subject: eventId, eventId, at: clock.now() });
  });
  return { msg: ticketsUpdated };
}

/** Covers the shared capacities, too, which the form of the event doesn't edit. */
function ticketsVersion(
  event: Parameters<typeof eventVersion>[0],
  types: Parameters<typeof eventVersion>[1],
  capacities: EventTickets['sharedCapacities'],
): string {
  // What sold meanwhile is no edit.
  const edited = capacities.map(({ reserved: _, ...capacity }) => capacity);
  return createHash('sha256')
    .update(JSON.stringify([eventVersion(event, types), edited]))
    .digest('base64url');
}

const byPosition = <Type extends { position: number }>(types: readonly Type[]): Type[] =>
  types.toSorted((one, other) => one.position - other.position);

/** Makes room for tickets beyond what an event offers. */
import { TICKET_QUANTITY_MAX } from '#domain/limits.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import { capacityRowsOf, lockCapacities, memberRowsOf, upsertCapacities } from './capacities/capacities.sql.ts';
import { updateTicketType } from './edit-event.sql.ts';
import type { EventToEdit } from './lock-to-edit.ts';

/**
 * Raises quantities of ticket types, and sizes of the capacities that they share, by what is missing for the wanted tickets. Requires
 * locks on the event and its types.
 */
export async function raiseQuantities(
  tx: Db,
  { event, types }: EventToEdit,
  wanted: ReadonlyMap<string, number>,
): Promise<void> {
  const { id: eventId } = event;
  const tickets = (typeId: string) => wanted.get(typeId) ?? 0;
  for (const { id, name, quantity, reserved } of types) {
    const needed = reserved + tickets(id);
    if (needed <= quantity) continue;
    rejectTooMany(name, needed);
    await updateTicketType(tx, eventId, id, { quantity: needed });
  }

  await lockCapacities(tx, eventId);
  const members = await memberRowsOf(tx, eventId);
  const short = (await capacityRowsOf(tx, eventId)).flatMap(({ id, position, name, capacity, reserved }) => {
    const units = members
      .filter(({ sharedCapacityId }) => sharedCapacityId === id)
      .reduce((sum, member) => sum + tickets(member.ticketTypeId) * member.units, 0);
    return units > 0 && reserved + units > capacity
      ? [{ eventId, id, position, name, capacity: reserved + units }]
      : [];
  });
  for (const { name, capacity } of short) rejectTooMany(name, capacity);
  await upsertCapacities(tx, short);
}

function rejectTooMany(name: string, needed: number): void {
  if (needed > TICKET_QUANTITY_MAX) throw new AppError('comp.quantity-too-high', { name, max: TICKET_QUANTITY_MAX });
}

/** The shared capacities of an event. An edit replaces them and their members; orders/core counts what the members take. */
import type { EventTickets } from '#contract/app/events.ts';
import type { ParsedCapacity } from '#contract/forms/capacity-rows.ts';
import { matchNamed } from '#domain/name-key.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import {
  capacityRowsOf,
  clearCapacityNames,
  deleteCapacities,
  deleteMembers,
  insertMembers,
  lockCapacities,
  markSharingTypes,
  memberRowsOf,
  upsertCapacities,
} from './capacities.sql.ts';

interface Type {
  id: string;
  reserved: number;
}

export async function readCapacities(
  db: Db,
  eventId: string,
  types: readonly { id: string }[],
): Promise<EventTickets['sharedCapacities']> {
  const [capacities, members] = await Promise.all([capacityRowsOf(db, eventId), memberRowsOf(db, eventId)]);
  return capacities.map(({ id, name, capacity, reserved }) => ({
    capacityId: id,
    name,
    capacity,
    reserved,
    units: types.map(
      (type) => members.find((one) => one.sharedCapacityId === id && one.ticketTypeId === type.id)?.units ?? null,
    ),
  }));
}

/** Requires locks on the event and its types, which are in the order of the form. */
export async function saveCapacities(
  tx: Db,
  eventId: string,
  rows: readonly ParsedCapacity[],
  types: readonly Type[],
): Promise<void> {
  await lockCapacities(tx, eventId);
  const capacities = withIds(rows, await capacityRowsOf(tx, eventId));
  for (const { name, capacity, units } of capacities) {
    const reserved = types.reduce((sum, type, index) => sum + type.reserved * (units[index] ?? 0), 0);
    if (reserved > capacity) throw new AppError('capacity.below-reserved', { name, reserved });
  }

  // Without members, any capacity can have any size; they are counted as they come back.
  await deleteMembers(tx, eventId, 'all');
  await deleteCapacities(
    tx,
    eventId,
    capacities.map(({ id }) => id),
  );
  await clearCapacityNames(tx, eventId);
  await upsertCapacities(
    tx,
    capacities.map(({ id, name, capacity }, position) => ({ eventId, id, name, capacity, position })),
  );
  await insertMembers(
    tx,
    capacities.flatMap(({ id: sharedCapacityId, units }) =>
      types.flatMap(({ id: ticketTypeId }, index) => {
        const taken = units[index];
        return taken ? [{ eventId, sharedCapacityId, ticketTypeId, units: taken }] : [];
      }),
    ),
  );
  await markSharingTypes(tx, eventId);
}

/** Of types that are no longer sold. */
export async function leaveCapacities(tx: Db, eventId: string, typeIds: readonly string[]): Promise<void> {
  await deleteMembers(tx, eventId, typeIds);
  if (typeIds.length > 0) await markSharingTypes(tx, eventId);
}

function withIds(rows: readonly ParsedCapacity[], stored: readonly { id: string; name: string }[]) {
  const named = rows.map(({ capacityId: id, name }) => ({ id, name }));
  const { matched } = matchNamed(named, stored);
  return rows.map((row, index) => ({ ...row, id: matched[index]?.id ?? newId() }));
}

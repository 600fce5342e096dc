import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type * as capacityCalls from '#contract/v1/capacities.ts';
import type * as contract from '#contract/v1/ticket-types.ts';
import { typesOf } from '#server/backoffice/api/api.sql.ts';
import { listTicketTypes } from '#server/backoffice/api/read-events.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { readCapacities } from '#server/events/capacities/save-capacities.ts';
import { editCapacityFields, editTicketTypeFields } from '#server/events/field-edits/edit-ticket-type-fields.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { withFieldNames } from './field-names.ts';
import { ticketRow } from './form-fields.ts';

type WriteDeps = Pick<Deps, 'db' | 'clock'>;
type TypeReply = ReplyOf<typeof contract.createTicketType>;
type CapacityReply = ReplyOf<typeof capacityCalls.createSharedCapacity>;

export async function createTicketType(
  deps: WriteDeps,
  key: KeyHolder,
  { event_id: eventId, ...type }: InputOf<typeof contract.createTicketType>,
): Promise<TypeReply> {
  return saveType(deps, key, { eventId, id: null }, type);
}

export async function updateTicketType(
  deps: WriteDeps,
  key: KeyHolder,
  { event_id: eventId, ticket_type_id: id, ...type }: InputOf<typeof contract.updateTicketType>,
): Promise<TypeReply> {
  return saveType(deps, key, { eventId, id }, type);
}

async function saveType(
  { db, clock }: WriteDeps,
  key: KeyHolder,
  edited: { eventId: string; id: string | null },
  type: Parameters<typeof ticketRow>[0],
): Promise<TypeReply> {
  const edit = { ...edited, fields: ticketRow(type) };
  return inTransaction(db, async (tx) => {
    const deps = { db: tx, clock };
    const position = await withFieldNames(() => editTicketTypeFields(deps, key, edit), { own: 'tickets' });
    const { data } = await listTicketTypes(deps, key, edited.eventId);
    return found(data, position);
  });
}

export async function listSharedCapacities(
  { db }: Pick<Deps, 'db'>,
  key: KeyHolder,
  eventId: string,
): Promise<ReplyOf<typeof capacityCalls.listSharedCapacities>> {
  await authorizeEvent({ db }, key, 'event.view', eventId);
  const types = await typesOf(db, eventId);
  const capacities = await readCapacities(db, eventId, types);
  return {
    data: capacities.map(({ capacityId, name, capacity, reserved, units }) => ({
      id: capacityId,
      event_id: eventId,
      name,
      capacity,
      reserved,
      ticket_types: types.flatMap(({ id }, index) => {
        const taken = units[index];
        return taken ? [{ ticket_type_id: id, units: taken }] : [];
      }),
    })),
  };
}

export async function createSharedCapacity(
  deps: WriteDeps,
  key: KeyHolder,
  { event_id: eventId, ...fields }: InputOf<typeof capacityCalls.createSharedCapacity>,
): Promise<CapacityReply> {
  return saveCapacity(deps, key, { eventId, id: null }, fields);
}

export async function updateSharedCapacity(
  deps: WriteDeps,
  key: KeyHolder,
  { event_id: eventId, shared_capacity_id: id, ...fields }: InputOf<typeof capacityCalls.updateSharedCapacity>,
): Promise<CapacityReply> {
  return saveCapacity(deps, key, { eventId, id }, fields);
}

type CapacityFields = Omit<InputOf<typeof capacityCalls.updateSharedCapacity>, 'event_id' | 'shared_capacity_id'>;

async function saveCapacity(
  { db, clock }: WriteDeps,
  key: KeyHolder,
  edited: { eventId: string; id: string | null },
  { name, capacity, ticket_types: shares }: CapacityFields,
): Promise<CapacityReply> {
  const units = shares && new Map(shares.map((share) => [share.ticket_type_id, share.units]));
  const fields = { ...(name !== undefined && { name }), ...(capacity !== undefined && { capacity }), units };
  return inTransaction(db, async (tx) => {
    const deps = { db: tx, clock };
    const position = await withFieldNames(() => editCapacityFields(deps, key, { ...edited, fields }), {
      own: 'sharedCapacities',
    });
    const { data } = await listSharedCapacities(deps, key, edited.eventId);
    return found(data, position);
  });
}

/** Under the lock of the event, which has what was saved. */
function found<Saved>(saved: readonly Saved[], position: number): Saved {
  const reply = saved[position];
  if (reply === undefined) throw new AppError('event.changed');
  return reply;
}

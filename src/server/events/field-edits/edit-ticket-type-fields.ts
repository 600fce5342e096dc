/** Edits of one ticket type or one shared capacity, which name the fields that they change. Each is an edit of the event's tickets. */
import { ticketsForm } from '#contract/app/events.ts';
import type { TicketRow } from '#contract/forms/ticket-types.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { readCapacities } from '#server/events/capacities/save-capacities.ts';
import { editTickets } from '#server/events/edit-tickets.ts';
import { lockToEdit } from '#server/events/lock-to-edit.ts';
import { formOf } from '#server/events/series-changes/series-edit.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Editor } from '#server/platform/http/callers.ts';
import { parseForm } from '#server/platform/http/read-input.ts';

type EditDeps = Pick<Deps, 'db' | 'clock'>;
type Fields = Readonly<Record<string, unknown>>;

/** Null adds one: the last of its event. */
interface Edited {
  eventId: string;
  id: string | null;
}

/** Resolves to the position of the type that was added or changed. */
export async function editTicketTypeFields(
  deps: EditDeps,
  editor: Editor,
  { eventId, id, fields }: Edited & { fields: Fields },
): Promise<number> {
  return editLocked(deps, editor, eventId, async (tx, rows) => {
    const index = id === null ? rows.length : rows.findIndex(({ ticketId }) => ticketId === id);
    if (index < 0) throw new AppError('ticket-type.not-found');
    const edited = { ...rows[index], ...fields };
    await save(tx, deps, editor, eventId, { tickets: [...rows.slice(0, index), edited, ...rows.slice(index + 1)] });
    return index;
  });
}

interface CapacityFields {
  name?: string | undefined;
  capacity?: number | undefined;
  /** Units by the id of the type. */
  units?: ReadonlyMap<string, number> | undefined;
}

/** The same of a capacity. */
export async function editCapacityFields(
  deps: EditDeps,
  editor: Editor,
  { eventId, id, fields: { units, ...fields } }: Edited & { fields: CapacityFields },
): Promise<number> {
  return editLocked(deps, editor, eventId, async (tx, tickets) => {
    const typeIds = tickets.map(({ ticketId = '' }) => ticketId);
    if ([...(units?.keys() ?? [])].some((typeId) => !typeIds.includes(typeId)))
      throw new AppError('ticket-type.not-found');
    const stored = await readCapacities(
      tx,
      eventId,
      typeIds.map((typeId) => ({ id: typeId })),
    );
    const index = id === null ? stored.length : stored.findIndex(({ capacityId }) => capacityId === id);
    if (index < 0) throw new AppError('capacity.not-found');
    const rows: Fields[] = stored.map((row) => ({ ...row, units: row.units.map((taken) => taken ?? '') }));
    const edited = {
      ...rows[index],
      ...fields,
      ...(units && { units: typeIds.map((typeId) => units.get(typeId) ?? '') }),
    };
    await save(tx, deps, editor, eventId, { tickets, sharedCapacities: rows.toSpliced(index, 1, edited) });
    return index;
  });
}

/** @param edit gets the rows of the form as they are */
async function editLocked<Result>(
  { db }: EditDeps,
  editor: Editor,
  eventId: string,
  edit: (tx: Db, rows: readonly TicketRow[]) => Promise<Result>,
): Promise<Result> {
  await authorizeEvent({ db }, editor, 'event.edit', eventId);
  return inTransaction(db, async (tx) => edit(tx, formOf(await lockToEdit(tx, editor, eventId)).tickets));
}

async function save(tx: Db, { clock }: EditDeps, editor: Editor, eventId: string, rows: Fields): Promise<void> {
  await editTickets({ db: tx, clock }, editor, { eventId, ...parseForm(ticketsForm, rows) });
}

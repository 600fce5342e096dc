/** The ordinary edit of one event, with the event before and after it. */
import { type AnnouncedChange, announcedChange } from '#domain/event-schedule.ts';
import { countBuyers, lockOwnEvent, lockTicketTypes } from '#server/events/edit-event.sql.ts';
import { editEvent } from '#server/events/edit-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Editor } from '#server/platform/http/callers.ts';
import type { DateToEdit, Edit } from './series-edit.ts';

interface EditedDate {
  before: DateToEdit;
  after: DateToEdit;
}

/** Within the caller's transaction. */
export async function editDate(
  tx: Db,
  { clock }: Pick<Deps, 'clock'>,
  editor: Editor,
  eventId: string,
  editOf: (date: DateToEdit) => Edit,
): Promise<EditedDate> {
  const before = await lockDate(tx, editor.organizationId, eventId);
  await editEvent({ db: tx, clock }, editor, editOf(before));
  return { before, after: await lockDate(tx, editor.organizationId, eventId) };
}

async function lockDate(tx: Db, organizationId: string, eventId: string): Promise<DateToEdit> {
  const event = await lockOwnEvent(tx, organizationId, eventId);
  if (!event) throw new AppError('event.not-found');
  const types = await lockTicketTypes(tx, eventId);
  return { event, types: types.toSorted((one, other) => one.position - other.position) };
}

export interface Trial extends EditedDate {
  /** How many buyers the edit would email, and about what. */
  buyers: number;
  about: AnnouncedChange | null;
}

/** What the edit would do. Changes nothing: its transaction is rolled back. Throws why it is denied. */
export async function tryEdit(
  deps: Pick<Deps, 'db' | 'clock'>,
  editor: Editor,
  eventId: string,
  editOf: (date: DateToEdit) => Edit,
): Promise<Trial> {
  try {
    return await inTransaction(deps.db, async (tx) => {
      const { before, after } = await editDate(tx, deps, editor, eventId, editOf);
      const change = announcedChange(before.event, after.event);
      const buyers = change ? await countBuyers(tx, eventId) : 0;
      throw new TriedOut({ before, after, buyers, about: buyers > 0 ? change : null });
    });
  } catch (error) {
    if (error instanceof TriedOut) return error.trial;
    throw error;
  }
}

class TriedOut extends Error {
  readonly trial: Trial;

  constructor(trial: Trial) {
    super('rolled back');
    this.trial = trial;
  }
}

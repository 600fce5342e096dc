/** Edits of programs, which name the fields that they change. Everything else stays as it is under the event's lock. */
import { editEvent as endpoint } from '#contract/app/events.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { lockToEdit } from '#server/events/lock-to-edit.ts';
import { editOneEvent } from '#server/events/series-changes/edit-series.ts';
import { formOf } from '#server/events/series-changes/series-edit.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Editor } from '#server/platform/http/callers.ts';
import { parseForm } from '#server/platform/http/read-input.ts';

interface FieldEdit {
  eventId: string;
  /** Fields of the event's form. */
  fields: Readonly<Record<string, unknown>>;
  /** The page version that the edit is based on; null: any. */
  basedOn: number | null;
}

export async function editEventFields(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  editor: Editor,
  { eventId, fields, basedOn }: FieldEdit,
): Promise<void> {
  await authorizeEvent({ db }, editor, 'event.edit', eventId);
  await inTransaction(db, async (tx) => {
    const { event, types } = await lockToEdit(tx, editor, eventId);
    if (basedOn !== null && event.pageVersion !== basedOn)
      throw new AppError('event.version-changed', { version: event.pageVersion });
    const form = { ...formOf({ event, types }), ...fields };
    await editOneEvent({ db: tx, clock }, editor, parseForm(endpoint.input, form));
  });
}

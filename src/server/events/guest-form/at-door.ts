/** What the door learns about an event's guests besides their tickets: nothing, unless its organizer wants that. */
import type { editNameSearch as endpoint } from '#contract/app/sales/find-guests.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { nameSearchSaved } from '#messages/sales/questions.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { updateEvent } from '#server/events/edit-event.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { isNameSearchOn, setDoorNotes } from './guest-form.sql.ts';

/** Also on the evening of the event, and after it. */
export async function editNameSearch(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  { eventId, isOn }: InputOf<typeof endpoint>,
): Promise<{ msg: string }> {
  await authorizeEvent({ db }, actor, 'check-in.manage', eventId);
  await inTransaction(db, async (tx) => {
    await updateEvent(tx, eventId, { allowsNameSearch: isOn });
    const subject = { subject: eventId, eventId, params: { isOn }, at: clock.now() };
    await recordAuditEvent(tx, { action: 'edit-name-search', by: actor, ...subject });
  });
  return { msg: nameSearchSaved(isOn) };
}

export const readNameSearch = isNameSearchOn;

export async function requireNameSearch(db: Db, eventId: string): Promise<void> {
  if (!(await isNameSearchOn(db, eventId))) throw new AppError('guest-search.off');
}

/** From now on, a check-in at the event looks for notes. Idempotent. */
export const markDoorNotes = setDoorNotes;

/** What an event asks its buyers. Each edit is a new version, because an order is asked what was asked when it was reserved. */
import type { editGuestForm as endpoint, OwnGuestForm } from '#contract/app/sales/guest-forms.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { parseQuestion } from '#contract/forms/guest-form.ts';
import type { GuestForm, Question } from '#domain/sales/guest-form.ts';
import { guestFormSaved } from '#messages/sales/questions.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { updateEvent } from '#server/events/edit-event.sql.ts';
import { type EventToEdit, lockToEdit } from '#server/events/lock-to-edit.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { currentForm, insertForm, isNameSearchOn, newestVersion, questionsEverAsked } from './guest-form.sql.ts';

export async function readGuestForm({ db }: Pick<Deps, 'db'>, actor: Actor, eventId: string): Promise<OwnGuestForm> {
  await authorizeEvent({ db }, actor, 'event.edit', eventId);
  const [form, version, allowsNameSearch] = await Promise.all([
    currentForm(db, eventId),
    newestVersion(db, eventId),
    isNameSearchOn(db, eventId),
  ]);
  const questions = (form?.questions ?? []).map(ownQuestion);
  return { version, asksNames: form?.asksNames ?? 'off', questions, allowsNameSearch };
}

const ownQuestion = ({ id, ticketTypeIds, options, ...question }: Question) => ({
  ...question,
  questionId: id,
  options: [...options],
  ticketIds: ticketTypeIds && [...ticketTypeIds],
});

export async function editGuestForm(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  { eventId, version, asksNames, questions }: InputOf<typeof endpoint>,
): Promise<{ msg: string }> {
  await authorizeEvent({ db }, actor, 'event.edit', eventId);
  await inTransaction(db, async (tx) => {
    const { event, types } = await lockToEdit(tx, actor, eventId);
    const newest = await newestVersion(tx, eventId);
    if (newest !== version) throw new AppError('event.changed');
    const known = await questionsEverAsked(tx, eventId);
    const form: GuestForm = { asksNames, questions: withIds(known, questions) };
    rejectUnknownTypes(form, known, types);
    await insertForm(tx, { eventId, version: newest + 1 }, form, event.now);
    const isEmpty = asksNames === 'off' && questions.length === 0;
    const hasDoorNotes = event.hasDoorNotes || form.questions.some(({ isShownAtDoor }) => isShownAtDoor);
    await updateEvent(tx, eventId, { formVersion: isEmpty ? null : newest + 1, hasDoorNotes });
    await recordAuditEvent(tx, { action: 'edit-questions', by: actor, subject: eventId, eventId, at: clock.now() });
  });
  return { msg: guestFormSaved };
}

/** An id ties a question to the answers that it has, so only one of this event is kept, and once. */
function withIds(known: readonly Question[], questions: InputOf<typeof endpoint>['questions']): Question[] {
  const unused = new Set(known.map(({ id }) => id));
  return questions.map((form) => {
    const isKnown = form.questionId !== undefined && unused.delete(form.questionId);
    return parseQuestion(form, isKnown && form.questionId ? form.questionId : newId());
  });
}

/** A question whose types were all removed may stay: it is never asked. */
function rejectUnknownTypes({ questions }: GuestForm, known: readonly Question[], types: EventToEdit['types']): void {
  const allowed = new Set([...types.map(({ id }) => id), ...known.flatMap(({ ticketTypeIds }) => ticketTypeIds ?? [])]);
  const isAboutUnknown = ({ ticketTypeIds }: Question) => ticketTypeIds?.some((id) => !allowed.has(id)) ?? false;
  if (questions.some(isAboutUnknown)) throw new AppError('questions.unknown-type');
}

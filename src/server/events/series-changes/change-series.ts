/**
 * Carries out a change of a series: one date per transaction, oldest first, so that a killed job leaves whole dates. The result of a
 * date commits with its change, so a repeated job continues with the next one.
 */
import { isGiven } from '#domain/accounts/roles.ts';
import { actingMember } from '#server/accounts/team/acting-member.ts';
import { cancelOwnEvent } from '#server/events/cancel-event.ts';
import { lockOwnEvent } from '#server/events/edit-event.sql.ts';
import { eventVersion } from '#server/events/event-version.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Editor } from '#server/platform/http/callers.ts';
import { editDate } from './edit-date.ts';
import { completeChange, findChange, isWaiting, nextDate, recordResult, storedEdit } from './series-changes.sql.ts';
import { applyTo, type Edit, type SeriesEdit, type StoredEdit, titleEdit } from './series-edit.ts';

type ChangeDeps = Pick<Deps, 'db' | 'clock'>;
type Change = NonNullable<Awaited<ReturnType<typeof findChange>>>;
type WaitingDate = NonNullable<Awaited<ReturnType<typeof nextDate>>>;

export async function changeSeries(deps: ChangeDeps, { changeId }: { changeId: string }): Promise<void> {
  const change = await findChange(deps.db, changeId);
  if (!change || change.completedAt) return;
  for (let date = await nextDate(deps.db, changeId); date; date = await nextDate(deps.db, changeId))
    await changeDate(deps, change, date);
  await completeChange(deps.db, changeId, deps.clock.now());
}

/** Nothing is different, so the date's transaction is rolled back, with its audit event. */
class Unchanged extends Error {}

async function changeDate(deps: ChangeDeps, change: Change, date: WaitingDate): Promise<void> {
  const none = { denial: null, denialParams: null };
  try {
    await inTransaction(deps.db, async (tx) => {
      const editor = await editorOf(tx, change, date);
      const event = await lockOwnEvent(tx, change.organizationId, date.eventId);
      if (!event || !(await isWaiting(tx, date))) return;
      if (change.kind === 'cancel') {
        if (event.cancelledAt || event.endsAt <= event.now) throw new Unchanged();
        await cancelOwnEvent({ ...deps, db: tx }, editor, date.eventId);
        await recordResult(tx, date, { result: 'cancelled', ...none });
      } else {
        await carryOutEdit(tx, deps, editor, date);
        await recordResult(tx, date, { result: 'updated', ...none });
      }
    });
  } catch (error) {
    if (error instanceof Unchanged) return recordResult(deps.db, date, { result: 'unchanged', ...none });
    if (!(error instanceof AppError)) throw error;
    await recordDenial(deps.db, date, error);
  }
}

async function recordDenial(db: Db, date: WaitingDate, { code, params }: { code: string; params: object }) {
  await recordResult(db, date, { result: 'denied', denial: code, denialParams: JSON.stringify(params) });
}

/** The member with the authority of this moment: access that was taken meanwhile counts. */
async function editorOf(tx: Db, { organizationId, userId }: Change, { eventId }: WaitingDate): Promise<Editor> {
  const member = userId === null ? null : await actingMember(tx, { organizationId, userId });
  if (!member || !isGiven(member, eventId)) throw new AppError('series-change.date-not-given');
  return member;
}

async function carryOutEdit(tx: Db, deps: ChangeDeps, editor: Editor, date: WaitingDate) {
  const edit = await storedEdit<StoredEdit>(tx, date.changeId);
  if (!edit) throw new Unchanged();
  const { own, others } = edit;
  const { before, after } = await editDate(tx, deps, editor, date.eventId, (stored): Edit => {
    if (date.part === 'own' && own) return own;
    return applyTo(stored, date.part === 'title' ? titleOf(others) : others);
  });
  if (eventVersion(before.event, before.types) === eventVersion(after.event, after.types)) throw new Unchanged();
}

const titleOf = ({ fields }: SeriesEdit): SeriesEdit => titleEdit(String(fields['title']));

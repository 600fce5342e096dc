/** Edits several dates of a series by the form of one of them. */
import type { publishEvent as publishCall } from '#contract/app/sales/event-life.ts';
import type { editSeries as call } from '#contract/app/sales/series-changes.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { isGiven } from '#domain/accounts/roles.ts';
import type { AnnouncedChange } from '#domain/event-schedule.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { editEvent } from '#server/events/edit-event.ts';
import { seriesOf } from '#server/events/life/life.sql.ts';
import { publishEvent } from '#server/events/life/publish-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Editor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { beginChange } from './begin-change.ts';
import { type Trial, tryEdit } from './edit-date.ts';
import { comingDates, findChange } from './series-changes.sql.ts';
import { applyTo, type Edit, editBetween, type SeriesEdit, titleEdit } from './series-edit.ts';

/** Saves nothing itself but the change, so that the form learns at once what is denied of its own date. */
export async function editSeries(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  editor: Editor,
  { scope, changeId, emailsConfirmed, ...own }: InputOf<typeof call>,
): Promise<{ changeId: string }> {
  const { db, clock } = deps;
  const { eventId: ownId } = own;
  await authorizeEvent(deps, editor, 'event.edit', ownId);
  if (await findChange(db, changeId)) return { changeId };
  await consumeLimit(deps.rateLimiter, 'edit-series', editor.userId);

  const trial = await tryEdit(deps, editor, ownId, () => own);
  const { seriesId } = trial.before.event;
  if (seriesId === null) throw new AppError('series-change.no-series');
  const edit = editBetween(trial.before, trial.after, own);
  const isInScope = (startsAt: Date) => scope === 'all' || startsAt >= trial.before.event.startsAt;
  const hasOtherTitle = edit.fields['title'] !== undefined;
  const others = (await comingDates(db, seriesId)).filter(({ eventId }) => eventId !== ownId);
  const dates = [
    { eventId: ownId, part: 'own' as const },
    ...others
      .map(({ eventId, startsAt }) => ({
        eventId,
        part: isInScope(startsAt) ? ('scope' as const) : ('title' as const),
      }))
      .filter(({ part }) => part === 'scope' || hasOtherTitle),
  ];
  if (emailsConfirmed === false) {
    const inScope = dates.filter(({ part, eventId }) => part === 'scope' && isGiven(editor, eventId));
    await askBeforeEmails([trial, ...(await tryOthers(deps, editor, inScope, edit))]);
  }
  const change = { id: changeId, seriesId, edit: { own, others: edit }, dates, at: clock.now() };
  await inTransaction(db, (tx) => beginChange(tx, editor, change));
  return { changeId };
}

/** Without those that are denied: they email no one. */
async function tryOthers(
  deps: Pick<Deps, 'db' | 'clock'>,
  editor: Editor,
  dates: readonly { eventId: string }[],
  edit: SeriesEdit,
): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const { eventId } of dates) {
    try {
      trials.push(await tryEdit(deps, editor, eventId, (date) => applyTo(date, edit)));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return trials;
}

async function askBeforeEmails(trials: readonly Trial[]): Promise<void> {
  const emailing = trials.filter(({ about }) => about !== null);
  const buyers = emailing.reduce((sum, trial) => sum + trial.buyers, 0);
  const about = aboutAll(emailing.flatMap((trial) => trial.about ?? []));
  if (about) throw new AppError('series-change.emails-buyers', { buyers, dates: emailing.length, about });
}

function aboutAll(changes: readonly AnnouncedChange[]): AnnouncedChange | null {
  const [first = null] = changes;
  return changes.every((change) => change === first) ? first : 'date-and-venue';
}

/**
 * The edit of one event. All dates of a series share its title, so the other coming ones take a new title from it. A draft saves
 * itself while its title is typed: the others take it when it is published.
 */
export async function editOneEvent(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  editor: Editor,
  edit: Edit,
): Promise<{ msg: string }> {
  return inTransaction(db, async (tx) => {
    const reply = await editEvent({ db: tx, clock }, editor, edit);
    await shareTitle(tx, { clock }, editor, { ...edit, ifPublished: true });
    return reply;
  });
}

/** Also the other drafts of its series, if that is asked for. */
export async function publishOneEvent(
  deps: Parameters<typeof publishEvent>[0],
  organizer: Editor,
  draft: InputOf<typeof publishCall>,
): Promise<ReplyOf<typeof publishCall>> {
  return inTransaction(deps.db, async (tx) => {
    const { reply, title } = await publishEvent({ ...deps, db: tx }, organizer, draft);
    if (title !== null) await shareTitle(tx, deps, organizer, { eventId: draft.eventId, title });
    return reply;
  });
}

async function shareTitle(
  tx: Db,
  { clock }: Pick<Deps, 'clock'>,
  editor: Editor,
  { eventId, title, ifPublished = false }: Pick<Edit, 'eventId' | 'title'> & { ifPublished?: boolean },
) {
  const seriesId = await seriesOf(tx, editor.organizationId, eventId);
  if (seriesId === null) return;
  const dates = await comingDates(tx, seriesId);
  if (ifPublished && dates.some((date) => date.eventId === eventId && !date.isPublished)) return;
  // The change runs as the member who made the key, who may have more events than it.
  const isReached = (date: { eventId: string }) => !('keyId' in editor) || isGiven(editor, date.eventId);
  const others = dates.filter((date) => date.eventId !== eventId && date.title !== title && isReached(date));
  if (others.length === 0) return;
  const edit = { own: null, others: titleEdit(title) };
  const changed = others.map((date) => ({ eventId: date.eventId, part: 'title' as const }));
  await beginChange(tx, editor, { id: newId(), seriesId, edit, dates: changed, at: clock.now() });
}

import { DRAFT_WARNED_AFTER_DAYS, DRAFT_WARNING_DAYS, draftDue } from '#domain/retention.ts';
import { emailOwners } from '#server/accounts/organization.ts';
import { lockOwnEvent } from '#server/events/edit-event.sql.ts';
import { removeUnusedFiles } from '#server/events/photos/unused-files.ts';
import { eventActivity } from '#server/platform/audit/event-activity.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { aboutDeletion, removeDraft } from './delete-draft.ts';
import { oldDrafts } from './life.sql.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = 500;

type Draft = Awaited<ReturnType<typeof oldDrafts>>[number];

/** Emails the owners of drafts that were unchanged for long, and deletes those that still are a month later. */
export async function sweepDrafts(
  { db, photos, clock, log }: Pick<Deps, 'db' | 'photos' | 'clock' | 'log'>,
  { pageSize = PAGE }: { pageSize?: number } = {},
): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - DRAFT_WARNED_AFTER_DAYS * DAY_MS);
  for (let after: string | undefined = ''; after !== undefined; ) {
    const drafts: Draft[] = await oldDrafts(db, { before, after, limit: pageSize });
    const due = await dueDrafts(db, drafts, now);
    for (const [draft] of due) {
      const fileNames = await inTransaction(db, (tx) => sweepDraft(tx, draft, now));
      await removeUnusedFiles({ db, photos, log }, fileNames);
    }
    after = drafts.at(-1)?.id;
  }
}

/** The audit log knows when a person last did something about a draft, and when its owners were last emailed. */
async function dueDrafts(db: Db, drafts: readonly Draft[], now: Date) {
  const ids = drafts.map(({ id }) => id);
  const activities = await eventActivity(db, ids, 'announce-draft-deletion');
  return drafts.flatMap((draft) => {
    const activity = activities.get(draft.id);
    const due = draftDue({
      changedAt: activity?.actedAt ?? draft.createdAt,
      warnedAt: activity?.lastAt ?? null,
      now,
    });
    return due ? [[draft, due] as const] : [];
  });
}

/** Asks again with the event locked: its organizer may be publishing or editing it. The names of files that it no longer shows. */
async function sweepDraft(tx: Db, draft: Draft, now: Date): Promise<string[]> {
  const event = await lockOwnEvent(tx, draft.organizationId, draft.id);
  const [[, due] = []] = event && !event.isPublished ? await dueDrafts(tx, [draft], now) : [];
  if (due === 'warning') await announce(tx, draft, now);
  if (due !== 'deletion') return [];
  await recordAuditEvent(tx, { action: 'delete-draft', actorKind: 'job', ...aboutDeletion(draft.id, now) });
  return removeDraft(tx, draft.organizationId, draft.id);
}

async function announce(tx: Db, { id, organizationId }: Draft, now: Date): Promise<void> {
  await recordAuditEvent(tx, { action: 'announce-draft-deletion', ...aboutDeletion(id, now) });
  await emailOwners(tx, organizationId, {
    kind: 'draft-deletion-ahead',
    subjectId: `${id} ${now.toISOString()}`,
    params: { eventId: id, deletedAt: new Date(now.getTime() + DRAFT_WARNING_DAYS * DAY_MS).toISOString() },
    now,
  });
}

import type { addTrackingLink as add, removeTrackingLink as remove } from '#contract/app/records/links.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { LINKS_MAX } from '#domain/reports/tracking-links.ts';
import { linkAdded, linkRemoved } from '#messages/records/tracking-links.ts';
import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { lockOwnEvent } from '#server/events/edit-event.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { insertLink, liveLinks, markRemoved } from './links.sql.ts';

type EditDeps = Pick<Deps, 'db' | 'clock'>;

export async function addTrackingLink(
  deps: EditDeps,
  actor: Actor,
  { eventId, name, slug }: InputOf<typeof add>,
): Promise<{ msg: string }> {
  await changeLinks(deps, actor, { eventId, action: 'add-tracking-link' }, async (tx, createdAt) => {
    const { count, isTaken } = await liveLinks(tx, eventId, slug);
    if (isTaken) throw new AppError('link.slug-taken');
    if (count >= LINKS_MAX) throw new AppError('link.too-many');
    await insertLink(tx, { eventId, id: newId(), slug, name, createdAt, removedAt: null });
  });
  return { msg: linkAdded };
}

export async function removeTrackingLink(
  deps: EditDeps,
  actor: Actor,
  { eventId, linkId }: InputOf<typeof remove>,
): Promise<{ msg: string }> {
  await changeLinks(deps, actor, { eventId, action: 'remove-tracking-link' }, async (tx, at) => {
    if (!(await markRemoved(tx, { eventId, linkId }, at))) throw new AppError('link.unknown');
  });
  return { msg: linkRemoved };
}

/** Under the event's lock, which keeps two members from adding the last link, or the same one. */
async function changeLinks(
  { db, clock }: EditDeps,
  actor: Actor,
  { eventId, action }: { eventId: string; action: 'add-tracking-link' | 'remove-tracking-link' },
  change: (tx: Db, at: Date) => Promise<void>,
): Promise<void> {
  await authorizeEvent({ db }, actor, 'event.edit', eventId);
  await inTransaction(db, async (tx) => {
    const event = await lockOwnEvent(tx, actor.organizationId, eventId);
    if (!event) throw new AppError('event.not-found');
    await requireNotSuspended(tx, actor.organizationId);
    await change(tx, event.now);
    await recordAuditEvent(tx, { action, by: actor, subject: eventId, eventId, at: clock.now() });
  });
}

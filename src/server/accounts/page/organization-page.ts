/** The settings of an organization's page, and the addresses that it had. Its logo and its look are kept by `events`. */
import { denySlug, FORMER_SLUG_DAYS, REDIRECT_DAYS } from '#domain/accounts/organization-page.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import {
  findPage,
  findSuccessor,
  forgetFormerSlug,
  isSlugTaken,
  leaveSlug,
  lockSlugs,
  updatePage,
} from './page.sql.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const readPage = (db: Db, organizationId: string) => findPage(db, organizationId);

/** The address of the page that a former one leads to; null if it leads nowhere. */
export const successorOf = async (db: Db, slug: string, now: Date): Promise<string | null> =>
  denySlug(slug) === null ? findSuccessor(db, slug, now) : null;

/** Locks the organization. Returns its page as it was. */
export async function savePage(
  tx: Db,
  { clock }: Pick<Deps, 'clock'>,
  actor: Actor,
  { slug, ...page }: Parameters<typeof updatePage>[2],
) {
  const { organizationId } = actor;
  const at = clock.now();
  if (!(await lockOrganization(tx, organizationId))) throw new AppError('session.missing');
  await requireNotSuspended(tx, organizationId);
  const before = await findPage(tx, organizationId);
  if (before.name === null) throw new AppError('page.no-name');
  if (typeof slug === 'string' && slug !== before.slug) {
    const denial = denySlug(slug);
    if (denial) throw new AppError(`page.${denial}`);
    await moveTo(tx, { slug, before: before.slug, organizationId, now: at });
  }
  if (Object.keys(page).length > 0) await updatePage(tx, organizationId, page);
  await recordAuditEvent(tx, { action: 'edit-organization-page', by: actor, subject: organizationId, at });
  return before;
}

async function moveTo(
  tx: Db,
  { slug, before, organizationId, now }: { slug: string; before: string | null; organizationId: string; now: Date },
): Promise<void> {
  await lockSlugs(tx, before === null ? [slug] : [slug, before]);
  if (await isSlugTaken(tx, { slug, organizationId, now })) throw new AppError('page.slug-taken');
  // It may be one that the organization had.
  await forgetFormerSlug(tx, slug);
  await updatePage(tx, organizationId, { slug });
  if (before === null) return;
  const after = (days: number) => new Date(now.getTime() + days * DAY_MS);
  const ends = { until: after(REDIRECT_DAYS), closedUntil: after(FORMER_SLUG_DAYS) };
  await leaveSlug(tx, { slug: before, organizationId, ...ends });
}

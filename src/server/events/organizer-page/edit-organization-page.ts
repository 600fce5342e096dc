import { stat } from 'node:fs/promises';
import type { editOrganizationPage as call, PageSettings } from '#contract/app/sales/organizer-page.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { readAccent } from '#domain/accounts/accent.ts';
import { slugFrom } from '#domain/accounts/organization-page.ts';
import { LOGO_BYTES_MAX } from '#domain/limits.ts';
import { readPage, savePage } from '#server/accounts/page/organization-page.ts';
import { authorize } from '#server/accounts/policies.ts';
import { writePhotoFile } from '#server/events/photos/add-photos.ts';
import { newPhotoFileName, photoUrl } from '#server/events/photos/photo-files.ts';
import { renderLogo } from '#server/events/photos/read-photo.ts';
import { renderPhoto } from '#server/events/photos/render-photo.ts';
import { removeFiles } from '#server/events/photos/unused-files.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import type { UploadedFile } from '#server/platform/http/upload.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';

export async function showOrganizationPage(deps: Pick<Deps, 'db' | 'publicUrl'>, actor: Actor): Promise<PageSettings> {
  authorize(actor, 'organization-page.edit');
  const { name, logoFile, slug, website, accent, isPagePublic, isShown } = await readPage(
    deps.db,
    actor.organizationId,
  );
  return {
    organizationName: name,
    slug,
    proposedSlug: name === null ? null : slugFrom(name),
    addressStart: `${deps.publicUrl}/o/`,
    website,
    accent,
    logo: logoFile === null ? null : photoUrl(deps, logoFile),
    isPublic: isPagePublic,
    isShown,
  };
}

type EditDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'photos' | 'log'>;

/** What is omitted stays as it is. */
export async function editOrganizationPage(
  deps: EditDeps,
  actor: Actor,
  { slug, website, accent, isPublic, removesLogo }: InputOf<typeof call>,
): Promise<void> {
  authorize(actor, 'organization-page.edit');
  await consumeLimit(deps.rateLimiter, 'edit-page', actor.userId);
  const changed = {
    ...(slug !== undefined && { slug }),
    ...(website !== undefined && { website: website || null }),
    ...(accent !== undefined && { accent: readableAccent(accent) }),
    ...(isPublic !== undefined && { isPagePublic: isPublic }),
    ...(removesLogo && { logoFile: null }),
  };
  const { slug: present } = await readPage(deps.db, actor.organizationId);
  if (slug !== undefined && present !== null && slug !== present)
    await consumeLimit(deps.rateLimiter, 'change-slug', actor.organizationId);
  const before = await inTransaction(deps.db, (tx) => savePage(tx, deps, actor, changed));
  if (removesLogo) await removeLogo(deps, before.logoFile);
}

function readableAccent(typed: string): string | null {
  if (typed.trim() === '') return null;
  const accent = readAccent(typed);
  if ('suggestion' in accent) throw new AppError('page.accent-contrast', accent);
  return accent.light;
}

/** Returns its URL. */
export async function uploadLogo(
  deps: EditDeps & Pick<Deps, 'publicUrl'>,
  actor: Actor,
  [file]: readonly UploadedFile[],
): Promise<string> {
  authorize(actor, 'organization-page.edit');
  await consumeLimit(deps.rateLimiter, 'edit-page', actor.userId);
  if (!file || file.isEmpty) throw new AppError('page.logo-missing');
  if (file.isTooLarge || (await stat(file.path)).size > LOGO_BYTES_MAX) throw new AppError('page.logo-too-large');
  const photo = await renderPhoto(file.path);
  if (typeof photo === 'string') throw new AppError(`photo.${photo}`, { fileName: file.fileName });
  const content = await renderLogo(photo);
  const logoFile = newPhotoFileName();
  await writePhotoFile(deps, { fileName: logoFile, content });
  try {
    const before = await inTransaction(deps.db, (tx) => savePage(tx, deps, actor, { logoFile }));
    await removeLogo(deps, before.logoFile);
  } catch (error) {
    if (error instanceof AppError) await removeLogo(deps, logoFile);
    throw error;
  }
  return photoUrl(deps, logoFile);
}

const removeLogo = (deps: Pick<Deps, 'photos' | 'log'>, fileName: string | null): Promise<void> =>
  removeFiles(deps, fileName === null ? [] : [fileName]);

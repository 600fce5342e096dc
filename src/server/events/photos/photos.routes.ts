import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contract/app/photos.ts';
import { photosDeleted, photosUploaded } from '#messages/photos.ts';
import { photosArranged } from '#messages/records/arrange-photos.ts';
import { authenticate } from '#server/accounts/authenticate.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { cookiesOf } from '#server/platform/http/cookies.ts';
import { IMAGE_POLICY } from '#server/platform/http/headers.ts';
import { mount } from '#server/platform/http/mount.ts';
import { addPhotos } from './add-photos.ts';
import { arrangePhotos } from './arrange-photos.ts';
import { deletePhotos } from './delete-photos.ts';
import { openPublicPhotos, seesDraftPhoto } from './photo-access.ts';
import { isPhotoFileName } from './photo-files.ts';
import { readPhoto, SMALL_WIDTH } from './read-photo.ts';

/** A browser never runs a photo as a page. File names are never reused, so photos are immutable. */
const PHOTO_HEADERS = {
  'content-type': 'image/webp',
  'content-security-policy': IMAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=31536000, immutable',
};
const DRAFT_HEADERS = { ...PHOTO_HEADERS, 'cache-control': 'private, no-store' };

/** Of the tags that a cache sends. Proxies mark a tag as weak. */
const isKnown = (tags: string | undefined, etag: string) =>
  tags?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;

interface Photo {
  Params: { fileName: string };
  /** `w=800` requests the small size. */
  Querystring: { w?: string };
}

export function photoRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.addPhotos, async ({ eventId }, { organizer, files }) => {
    const uploads = files.map(({ path, ...file }) => ({ ...file, source: path }));
    const eventPhotos = await addPhotos(deps, organizer, { eventId, files: uploads });
    return { msg: photosUploaded, eventPhotos };
  });

  mount(app, contract.deletePhotos, async ({ eventId, photosToDelete }, { organizer }) => {
    const eventPhotos = await deletePhotos(deps, organizer, { eventId, urls: photosToDelete });
    return { msg: photosDeleted, eventPhotos };
  });

  mount(app, contract.arrangePhotos, async (arrangement, { organizer }) => {
    const eventPhotos = await arrangePhotos(deps, organizer, arrangement);
    return { msg: photosArranged, eventPhotos };
  });

  const isPublic = openPublicPhotos(deps);
  app.get<Photo>('/photos/:fileName', async (request, reply) => {
    const { fileName } = request.params;
    // Until it is known: some caches keep a 404, and a draft's photo may be published in the next moment.
    reply.header('cache-control', 'no-store');
    const isForAll = isPhotoFileName(fileName) && (await isPublic(fileName));
    if (!isForAll && !(await isForMember(request, reply, fileName))) throw new AppError('page.not-found');
    const isSmall = request.query.w === String(SMALL_WIDTH);
    // The bytes under a name never change, so a cache that asks again needs no look at them.
    const etag = `"${fileName.slice(0, -'.webp'.length)}${isSmall ? `-${SMALL_WIDTH}` : ''}"`;
    if (isForAll && isKnown(request.headers['if-none-match'], etag))
      return reply
        .code(304)
        .headers({ ...PHOTO_HEADERS, etag })
        .send();
    const photo = await readPhoto(deps, fileName, { isSmall });
    if (!photo) throw new AppError('page.not-found');
    return reply.headers(isForAll ? { ...PHOTO_HEADERS, etag } : DRAFT_HEADERS).send(photo);
  });

  async function isForMember(request: FastifyRequest, reply: FastifyReply, fileName: string): Promise<boolean> {
    if (!isPhotoFileName(fileName)) return false;
    const credentials = cookiesOf(request, reply, deps.publicUrl.startsWith('https:')).credentials();
    const member = await authenticate(deps, credentials);
    return member !== null && seesDraftPhoto(deps, member, fileName);
  }
}

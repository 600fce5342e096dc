import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/photos.ts';
import { photosDeleted, photosUploaded } from '#messages/photos.ts';

import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { IMAGE_POLICY } from '#server/platform/http/headers.ts';
import { mount } from '#server/platform/http/mount.ts';
import { addPhotos } from './add-photos.ts';
import { deletePhotos } from './delete-photos.ts';
import { readPhoto, SMALL_WIDTH } from './read-photo.ts';

/** A browser never runs a photo as a page. File names are never reused, so photos are immutable. */
const PHOTO_HEADERS = {
  'content-type': 'image/webp',
  'content-security-policy': IMAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=31536000, immutable',
};

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

  app.get<Photo>('/photos/:fileName', async ({ params, query }, reply) => {
    const photo = await readPhoto(deps, params.fileName, { isSmall: query.w === String(SMALL_WIDTH) });
    if (!photo) throw new AppError('page.not-found');
    return reply.headers(PHOTO_HEADERS).send(photo);
  });
}

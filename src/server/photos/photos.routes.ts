import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/photos.ts';
import { notFoundPage } from '#contract/sentences.ts';
import type { Deps } from '#server/deps.ts';
import { mount } from '#server/http/mount.ts';
import { notFound } from '#server/refusal.ts';
import { addPhotos } from './add-photos.ts';
import { isPhotoFileName } from './photo-file-name.ts';

/** A photo never becomes a page, whatever a browser makes of its bytes. Its name is never used again, so it keeps for ever. */
const PHOTO_HEADERS = {
  'content-type': 'image/webp',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=31536000, immutable',
};

export function photoRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.addPhotos, async ({ eventId }, { organizer, files }) => {
    const eventPhotos = await addPhotos(deps, { organizerId: organizer.userId, eventId, files });
    return { msg: contract.photosUploaded, eventPhotos };
  });

  app.get<{ Params: { fileName: string } }>('/photos/:fileName', async ({ params }, reply) => {
    const photo = isPhotoFileName(params.fileName) ? await deps.photos.read(params.fileName) : null;
    if (!photo) throw notFound(notFoundPage);
    return reply.headers(PHOTO_HEADERS).send(photo);
  });
}

/** Event photos. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/message-reply.ts';
import { PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';

export const addPhotos = endpoint({
  method: 'POST',
  path: '/api/protected/add-photos',
  access: 'organizer',
  upload: true,
  input: z.object({ eventId: z.string() }),
  reply: z.object({ ...messageReply.shape, eventPhotos: z.array(z.string()) }),
});

export const deletePhotos = endpoint({
  method: 'POST',
  path: '/api/protected/delete-photos',
  access: 'organizer',
  /** `photosToDelete`: URLs from `eventPhotos`. A URL of another event rejects the whole request. */
  input: z.object({
    eventId: z.string(),
    photosToDelete: z.array(z.string()).check(z.maxLength(PHOTOS_PER_EVENT_MAX)),
  }),
  reply: z.object({ ...messageReply.shape, eventPhotos: z.array(z.string()) }),
});

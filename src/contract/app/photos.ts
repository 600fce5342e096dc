/** Event photos. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { oneLine } from '#contract/forms/typed-text.ts';
import { messageReply } from '#contract/message-reply.ts';
import { PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';
import { isFocusPercent } from '#domain/sales/photos.ts';

const percent = z.int().check(z.refine(isFocusPercent));

const photoUrls = z.array(z.string()).check(z.maxLength(PHOTOS_PER_EVENT_MAX));

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
  input: z.object({ eventId: z.string(), photosToDelete: photoUrls }),
  reply: z.object({ ...messageReply.shape, eventPhotos: z.array(z.string()) }),
});

export const arrangePhotos = endpoint({
  method: 'POST',
  path: '/api/protected/arrange-photos',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    /** URLs from `eventPhotos`, as they were read. If the photos or their order are others by now, nothing is saved. */
    seen: photoUrls,
    /** All of them, in their new order. */
    photos: z
      .array(
        z.object({
          url: z.string(),
          /** Empty for none. */
          altText: z.string().check(oneLine()),
          /** In percent from the left and the top. Null: the middle. */
          focus: z.nullable(z.object({ x: percent, y: percent })),
        }),
      )
      .check(z.maxLength(PHOTOS_PER_EVENT_MAX)),
    /** Its URL. Null: whichever photo is the first. */
    cover: z.nullable(z.string()),
  }),
  reply: z.object({ ...messageReply.shape, eventPhotos: z.array(z.string()) }),
});

export type PhotoArrangement = z.infer<(typeof arrangePhotos)['input']>;

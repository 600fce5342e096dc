/** Event photos. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/messages/requests.ts';
import { PHOTO_BYTES_MAX, PHOTO_PIXELS_MAX, PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';

export const addPhotos = endpoint({
  method: 'POST',
  path: '/api/protected/add-photos',
  access: 'organizer',
  upload: true,
  input: z.object({ eventId: z.string() }),
  reply: z.object({ ...messageReply.shape, eventPhotos: z.array(z.string()) }),
});

export const photosUploaded = 'Photos Uploaded';

export const photoErrors = {
  'no-files': 'Please select files to upload',
  'too-many': `An event can have at most ${PHOTOS_PER_EVENT_MAX} photos.`,
  'too-large': `A photo can be at most ${PHOTO_BYTES_MAX / 1024 / 1024} MB.`,
  'not-a-photo': 'Photos must be JPEG, PNG or WebP images.',
  'too-slow': 'This photo took too long to read. Please try a smaller one.',
  'too-many-pixels': `A photo can have at most ${PHOTO_PIXELS_MAX / 1_000_000} megapixels.`,
};

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

/** The disk is full or read-only. */
export const photosNotSaved = "We can't store photos right now. Please try again later.";

/** The organizer has too many uploads in progress. */
export const uploadsUnderWay = 'Your photos are still uploading. Give them a moment.';

export const photosDeleted = 'Selected photos deleted successfully!';
export const noPhotosSelected = 'No photos selected for deletion.';
export const unknownPhoto = 'That photo belongs to another event.';

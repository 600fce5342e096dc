/** Event photos. */
import { PHOTO_BYTES_MAX, PHOTO_PIXELS_MAX, PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';

export const photosUploaded = 'Photos Uploaded';

export const photoErrors = {
  'no-files': 'Please select files to upload',
  'too-many': `An event can have at most ${PHOTOS_PER_EVENT_MAX} photos.`,
  'too-large': `A photo can be at most ${PHOTO_BYTES_MAX / 1024 / 1024} MB.`,
  'not-a-photo': 'Photos must be JPEG, PNG or WebP images.',
  'too-slow': 'This photo took too long to read. Please try a smaller one.',
  'too-many-pixels': `A photo can have at most ${PHOTO_PIXELS_MAX / 1_000_000} megapixels.`,
};

/** The disk is full or read-only. */
export const photosNotSaved = "We can't store photos right now. Please try again later.";

/** The organizer has too many uploads in progress. */
export const uploadsUnderWay = 'Your photos are still uploading. Give them a moment.';

export const photosDeleted = 'Selected photos deleted successfully!';
export const noPhotosSelected = 'No photos selected for deletion.';
export const unknownPhoto = 'That photo belongs to another event.';

/** Event photos. */
import { ALT_TEXT_MAX, PHOTO_BYTES_MAX, PHOTO_PIXELS_MAX, PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';
import { later } from './requests.ts';

export const photosUploaded = 'Photos Uploaded';

export const photosDeleted = 'Selected photos deleted successfully!';

/** What the screen also checks, before the upload. */
export const photoRules = {
  'not-a-photo': 'Photos must be JPEG, PNG or WebP images.',
  'too-large': `A photo can be at most ${PHOTO_BYTES_MAX / 1024 / 1024} MB.`,
  'too-many': `An event can have at most ${PHOTOS_PER_EVENT_MAX} photos.`,
  'too-many-pixels': `A photo can have at most ${PHOTO_PIXELS_MAX / 1_000_000} megapixels.`,
};

const withFileName =
  (text: string) =>
  ({ fileName }: { fileName: string }) =>
    fileName ? `${text} (${fileName.slice(0, 100)})` : text;

export const photoErrors = {
  'photo.alt-text-too-long': `Alt text must be ${ALT_TEXT_MAX} characters or less`,
  'photo.changed': 'The photos of this event have changed in the meantime. Please arrange them again.',
  'photo.no-files': 'Please select files to upload',
  'photo.none-selected': 'No photos selected for deletion.',
  'photo.not-arranged': 'An arrangement needs each photo of the event once.',
  'photo.not-a-photo': withFileName(photoRules['not-a-photo']),
  /** The disk is full or read-only, or the bucket is out of reach. */
  'photo.not-saved': later("We can't store photos right now. Please try again later."),
  'photo.too-large': withFileName(photoRules['too-large']),
  'photo.too-many': photoRules['too-many'],
  'photo.too-many-pixels': withFileName(photoRules['too-many-pixels']),
  'photo.too-slow': withFileName('This photo took too long to read. Please try a smaller one.'),
  'photo.unavailable': later("We can't show photos right now. Please try again in a minute."),
  'photo.unknown': 'That photo belongs to another event.',
  /** The organizer has too many uploads in progress. */
  'photo.uploads-under-way': later('Your photos are still uploading. Give them a moment.'),
};

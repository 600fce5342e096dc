import { randomBytes } from 'node:crypto';
import type { Deps } from '#server/platform/deps.ts';

const PHOTO_PATH = '/photos/';

/** Random, because an uploaded file name may be personal or contain a path. */
export const newPhotoFileName = () => `${randomBytes(16).toString('hex')}.webp`;

export const isPhotoFileName = (text: string) => /^[0-9a-f]{32}\.webp$/.test(text);

/** The photo's public URL. */
export function photoUrl({ publicUrl }: Pick<Deps, 'publicUrl'>, fileName: string): string {
  return `${publicUrl}${PHOTO_PATH}${fileName}`;
}

/** Parses a photo URL, absolute or as a path, which a page on another of our hosts sends. */
export function fileNameOf({ publicUrl }: Pick<Deps, 'publicUrl'>, url: string): string | null {
  const path = url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url;
  const fileName = path.startsWith(PHOTO_PATH) ? path.slice(PHOTO_PATH.length) : '';
  return isPhotoFileName(fileName) ? fileName : null;
}

import { randomBytes } from 'node:crypto';
import type { Deps } from '#server/platform/deps.ts';

/** Nothing of the uploader's name is kept: it may say who took the photo, or try to leave the folder. */
export const newPhotoFileName = () => `${randomBytes(16).toString('hex')}.webp`;

export const isPhotoFileName = (text: string) => /^[0-9a-f]{32}\.webp$/.test(text);

const FOLDER = '/photos/';

/** Where everyone sees a photo: the one place that knows the address' shape. */
export function photoUrl({ publicUrl }: Pick<Deps, 'publicUrl'>, fileName: string): string {
  return `${publicUrl}${FOLDER}${fileName}`;
}

/** The photo that an address means: as we write it, or as a page shows it that was opened at another host of ours. */
export function fileNameOf({ publicUrl }: Pick<Deps, 'publicUrl'>, url: string): string | null {
  const path = url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url;
  const fileName = path.startsWith(FOLDER) ? path.slice(FOLDER.length) : '';
  return isPhotoFileName(fileName) ? fileName : null;
}

import type { Deps } from '#server/deps.ts';
import { isPhotoFileName } from './photo-file-name.ts';

/** Where everyone sees a photo: the one place that knows the address' shape. */
export function photoUrl({ publicUrl }: Pick<Deps, 'publicUrl'>, fileName: string): string {
  return `${publicUrl}/photos/${fileName}`;
}

/** The photo that an address means. Its host does not count: behind a proxy, or at a venue, the product has several. */
export function fileNameOf(url: string): string | null {
  if (!URL.canParse(url, 'http://here')) return null;
  const [, folder, fileName = '', ...deeper] = new URL(url, 'http://here').pathname.split('/');
  return folder === 'photos' && deeper.length === 0 && isPhotoFileName(fileName) ? fileName : null;
}

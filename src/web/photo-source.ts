import type { Focus } from '#domain/sales/photos.ts';

/**
 * URL to load a photo from. Photos have the public host, but the page may be open under another one, such as a venue's
 * local address, which serves its own photos.
 */
export function photoSource(url: string): string {
  const { pathname } = new URL(url, 'http://localhost');
  return pathname.startsWith('/photos/') ? pathname : url;
}

/** Attributes of an image that keep this point in view where it is cropped. */
export const inFocus = (focus: Focus | undefined) => ({ 'data-x': focus?.x, 'data-y': focus?.y });

/** Smaller sizes for narrow screens, if the photo is served by us. */
export function photoSizes(photo: string): { srcSet?: string; sizes?: string } {
  if (!photo.startsWith('/photos/')) return {};
  return { srcSet: `${photo}?w=800 800w, ${photo} 1600w`, sizes: '(min-width: 900px) 660px, 100vw' };
}

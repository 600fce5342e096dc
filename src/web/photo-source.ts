/**
 * Where the page loads a photo from. Photos carry the product's public address, but the page may have been opened
 * by another one, such as a local address at the venue; its own photos are there too.
 */
export function photoSource(url: string): string {
  const { pathname } = new URL(url, 'http://localhost');
  return pathname.startsWith('/photos/') ? pathname : url;
}

/** The same photo for narrow screens, if it is one of ours. */
export function photoSizes(photo: string): { srcSet?: string; sizes?: string } {
  if (!photo.startsWith('/photos/')) return {};
  return { srcSet: `${photo}?w=800 800w, ${photo} 1600w`, sizes: '(min-width: 900px) 660px, 100vw' };
}

/**
 * Where the page loads a photo from. Photos carry the product's public address, but the page may have been opened
 * by another one, such as a local address at the venue; its own photos are there too.
 */
export function photoSource(url: string): string {
  const { pathname } = new URL(url, location.href);
  return pathname.startsWith('/photos/') ? pathname : url;
}

/** A path on this site, or `null`: a redirect must never leave it, whoever wrote the address. */
export function sitePathOf(url: string): string | null {
  return /^\/(?![/\\])[^\s\\]*$/.test(url) ? url : null;
}

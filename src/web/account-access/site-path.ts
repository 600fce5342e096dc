/** Returns a path on this site, or `null`: blocks open redirects. */
export function sitePathOf(url: string): string | null {
  return /^\/(?![/\\])[^\s\\]*$/.test(url) ? url : null;
}

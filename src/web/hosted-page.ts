/**
 * Where a page of the card company may be: with the company itself; or, where that is only played, here, which may be under
 * another name of this machine as long as we are on http. Never `javascript:`, never somebody else's site.
 */
export function hostedPageOf(url: string, here: Pick<Location, 'href' | 'origin' | 'protocol'>): string {
  const address = new URL(url, here.href);
  const isTheirs = address.protocol === 'https:' && /(?:^|\.)stripe\.com$/.test(address.hostname);
  const isPlayed = address.protocol === 'http:' && here.protocol === 'http:';
  if (!isTheirs && !isPlayed && address.origin !== here.origin) throw new Error('not a page of the card company');
  return address.href;
}

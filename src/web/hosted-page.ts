/**
 * Validates the URL of a hosted Stripe page: stripe.com, this origin, or, over http, the sandbox under any local host
 * name. Blocks `javascript:` and other sites.
 */
export function hostedPageOf(url: string, here: Pick<Location, 'href' | 'origin' | 'protocol'>): string {
  const address = new URL(url, here.href);
  const isTheirs = address.protocol === 'https:' && /(?:^|\.)stripe\.com$/.test(address.hostname);
  const isPlayed = address.protocol === 'http:' && here.protocol === 'http:';
  if (!isTheirs && !isPlayed && address.origin !== here.origin) throw new Error('not a Stripe page');
  return address.href;
}

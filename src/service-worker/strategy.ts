/**
 * Which requests the service worker answers: navigations to its page, network first, and built files, cache first. Everything else
 * goes to the network, above all API calls, whose answers are never cached here.
 */
export type Strategy = 'page' | 'file' | null;

type IncomingRequest = Pick<Request, 'method' | 'mode' | 'url'>;

export function strategyFor(
  { method, mode, url }: IncomingRequest,
  { origin, page }: { origin: string; page: string },
): Strategy {
  const address = new URL(url);
  if (method !== 'GET' || address.origin !== origin) return null;
  if (mode === 'navigate') return isPage(address.pathname.replace(/\/$/, ''), page) ? 'page' : null;
  return address.pathname.startsWith('/static/') ? 'file' : null;
}

/** The pages of orders and tickets have their token in the path. */
const isPage = (path: string, page: string): boolean =>
  path === page || ((page === '/order' || page === '/ticket') && path.replace(/\/[^/]+$/, '') === page);

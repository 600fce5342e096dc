/** Decides whether a request gets an HTML page or a reply for programs. */
import type { IncomingMessage } from 'node:http';

const NO_PAGES = /^\/(api|sandbox|photos|poster|static|og|look)(\/|$)/;

/** A person who follows a dead link gets a page; a mistyped API call or file gets JSON. */
export function wantsPage({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  return Boolean(headers.accept?.includes('text/html')) && !NO_PAGES.test(pathOf(url));
}

/** Treats an undecodable URL in a browser as a dead link. The router would answer it in JSON. */
export function rewriteUnreadableUrl(request: Pick<IncomingMessage, 'url' | 'headers' | 'method'>): string {
  const { url = '/', method } = request;
  return method === 'GET' && !isDecodable(pathOf(url)) && wantsPage(request) ? DEAD_LINK : url;
}

export const DEAD_LINK = '/nowhere';

const pathOf = (url: string) => url.split('?', 1)[0] ?? '/';

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

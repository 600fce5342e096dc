/** Whether an address is answered with a page for a person, or with what a program reads. */
import type { IncomingMessage } from 'node:http';

const NO_PAGES = /^\/(api|sandbox|photos|static|og)(\/|$)/;

/** A mistyped call or file answers like one; a person who follows a dead link gets a page. */
export function wantsPage({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  return Boolean(headers.accept?.includes('text/html')) && !NO_PAGES.test(pathOf(url));
}

/** Where a person's address cannot be decoded, the router would refuse it in JSON: it is a dead link like any other. */
export function readableAddress(request: Pick<IncomingMessage, 'url' | 'headers' | 'method'>): string {
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

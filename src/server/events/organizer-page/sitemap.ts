/** `/sitemap.xml`: the pages that search engines may list. Beyond 50,000, the limit of a file, it is an index of further ones. */
import type { Deps } from '#server/platform/deps.ts';
import { countPublicPaths, publicPaths } from './organizer-page.sql.ts';

/** https://www.sitemaps.org/protocol.html */
const URLS_MAX = 50_000;
const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** Null if there is no such page. Page 0 is the whole, or the index of the others. */
export async function sitemapPage(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  number: number,
  urlsMax = URLS_MAX,
): Promise<string | null> {
  const pages = number === 0 ? Math.ceil((await countPublicPaths(db)) / urlsMax) : 1;
  if (pages > 1) {
    const addresses = Array.from({ length: pages }, (_, index) => `${publicUrl}/sitemap.xml?page=${index + 1}`);
    return `${DECLARATION}<sitemapindex ${SCHEMA}>${entries('sitemap', addresses)}</sitemapindex>`;
  }
  const paths = await publicPaths(db, { offset: number === 0 ? 0 : (number - 1) * urlsMax, limit: urlsMax });
  if (number > 0 && paths.length === 0) return null;
  const addresses = paths.map((path) => publicUrl + path);
  return `${DECLARATION}<urlset ${SCHEMA}>${entries('url', addresses)}</urlset>`;
}

/** Addresses of ours have no character that XML reserves. */
const entries = (kind: 'url' | 'sitemap', addresses: readonly string[]): string =>
  addresses.map((address) => `<${kind}><loc>${address}</loc></${kind}>`).join('\n');

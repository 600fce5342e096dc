/** Content negotiation by `Accept-Encoding`. */

import { LRUCache } from 'lru-cache';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Best first. */
const COMPRESSED = ['br', 'gzip'] as const;
/** Browsers send a handful of distinct headers. */
const cache = new LRUCache<string, Encoding>({ max: 64 });

export function negotiateEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity';
  const cached = cache.get(header);
  if (cached !== undefined) return cached;
  const encoding = parseAcceptEncoding(header);
  cache.set(header, encoding);
  return encoding;
}

function parseAcceptEncoding(header: string): Encoding {
  const accepted = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((token) => token.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    accepted.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const wildcard = accepted.get('*') ?? 0;
  return COMPRESSED.find((encoding) => (accepted.get(encoding) ?? wildcard) > 0) ?? 'identity';
}

/** A response prepared once in each encoding, with its headers, so that serving it is a lookup and a write. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Encoding, negotiateEncoding } from './encoding.ts';

export interface CachedResponse {
  status: 200 | 304;
  /** Alternating names and values, the fastest form for node:http. */
  headers: string[];
  body: Buffer | null;
}

export interface ResponseVariants {
  etag: string;
  bytes: number;
  full: Record<Encoding, CachedResponse>;
  notModified: CachedResponse;
}

/** Well below the maximum, because pages are rendered again during a sale. */
const BROTLI_QUALITY = 5;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** @param headers sent with every full response */
export async function buildResponses(
  text: string,
  type: string,
  cacheControl: string,
  headers: Readonly<Record<string, string>>,
): Promise<ResponseVariants> {
  const identity = Buffer.from(text);
  // Weak, because it identifies the content, not the bytes: it is the same for every encoding. Of the headers too, because a
  // stored copy keeps those that it came with.
  const hash = createHash('sha256').update(JSON.stringify(headers)).update(identity);
  const etag = `W/"${hash.digest('base64url').slice(0, 22)}"`;
  const cacheHeaders = ['etag', etag, 'cache-control', cacheControl, 'vary', 'accept-encoding'];
  const commonHeaders = Object.entries(headers).flat();

  const fullResponse = (body: Buffer, encoding: Encoding): CachedResponse => ({
    status: 200,
    headers: [
      'content-type',
      type,
      'content-length',
      String(body.length),
      ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
      ...cacheHeaders,
      ...commonHeaders,
    ],
    body,
  });
  const compressed = await Promise.all([
    brotliAsync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    gzipAsync(identity),
  ]);
  return {
    etag,
    bytes: identity.length + compressed[0].length + compressed[1].length,
    full: {
      br: fullResponse(compressed[0], 'br'),
      gzip: fullResponse(compressed[1], 'gzip'),
      identity: fullResponse(identity, 'identity'),
    },
    // Only what RFC 9110, 15.4.5 requires: the cache has stored the other headers with the body.
    notModified: { status: 304, headers: cacheHeaders, body: null },
  };
}

/**
 * @param ifNoneMatch the `If-None-Match` header
 * @param acceptEncoding the `Accept-Encoding` header
 */
export function selectResponse(
  variants: ResponseVariants,
  ifNoneMatch: string | undefined,
  acceptEncoding: string | undefined,
): CachedResponse {
  if (ifNoneMatch !== undefined && (ifNoneMatch === variants.etag || etagMatches(ifNoneMatch, variants.etag)))
    return variants.notModified;
  return variants.full[negotiateEncoding(acceptEncoding)];
}

/** A proxy may list several ETags, or drop the weak prefix. */
function etagMatches(header: string, etag: string): boolean {
  const strongEtag = etag.slice('W/'.length);
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === strongEtag);
}

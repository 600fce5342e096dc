/** Fetches JSON from an untrusted public server, with limits on time, size and address, and without redirects. */
import { lookup } from 'node:dns';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './is-public-address.ts';

export interface JsonSource {
  origin: string;
  /** Tests serve on loopback. */
  mayBePrivate: boolean;
}

const TIMEOUT_MS = 3_000;
const BYTES_MAX = 64 * 1024;

/** Rejects unless the response is complete and has status 200. Redirects are not followed. */
export async function readJson({ origin, mayBePrivate }: JsonSource, path: string): Promise<unknown> {
  const url = new URL(path, origin);
  const get = url.protocol === 'https:' ? getHttps : getHttp;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { accept: 'application/json' },
      ...(mayBePrivate ? {} : { lookup: lookupPublic }),
    };
    get(url, options, resolve).on('error', reject);
  });
  try {
    if (reply.statusCode !== 200) throw new Error(`${url.host} answered ${reply.statusCode}`);
    return parse(await textOf(reply));
  } finally {
    reply.destroy();
  }
}

/** The parser's own error would quote the response, and with it the requested address. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the response is not JSON');
  }
}

async function textOf(reply: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply) {
    if (!Buffer.isBuffer(chunk)) throw new Error('the response did not arrive as bytes');
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new Error(`the response is longer than ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Checks the address that is actually connected to, which prevents DNS rebinding. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    const blocked = addresses.find(({ address }) => !isPublicAddress(address));
    const [first] = addresses;
    if (blocked || !first) return callback(new Error(`${hostname} is not on the public internet`), '', 0);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

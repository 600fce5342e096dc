/** Reads a document from a server on the public internet that is trusted with nothing: not with time, size, or where to go next. */
import { lookup } from 'node:dns';
import { get as getPlainly, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './is-public-address.ts';

export interface JsonSource {
  origin: string;
  /** Tests serve on loopback. */
  mayBePrivate: boolean;
}

const TIME_MS = 3_000;
const BYTES_MAX = 64 * 1024;

/** Rejects for everything but a whole answer with status 200. A redirection is none, and is not followed. */
export async function readJson({ origin, mayBePrivate }: JsonSource, path: string): Promise<unknown> {
  const url = new URL(path, origin);
  const get = url.protocol === 'https:' ? getSecurely : getPlainly;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      signal: AbortSignal.timeout(TIME_MS),
      headers: { accept: 'application/json' },
      ...(mayBePrivate ? {} : { lookup: lookupPublic }),
    };
    get(url, options, resolve).on('error', reject);
  });
  try {
    if (reply.statusCode !== 200) throw new Error(`${url.host} answered ${reply.statusCode}`);
    return parsed(await textOf(reply));
  } finally {
    reply.destroy();
  }
}

/** The parser's own error would quote the answer, and so the address that was asked for. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('an answer was no JSON');
  }
}

async function textOf(reply: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of reply) {
    if (!Buffer.isBuffer(piece)) throw new Error('an answer came as something else than bytes');
    bytes += piece.length;
    if (bytes > BYTES_MAX) throw new Error(`an answer was longer than ${BYTES_MAX} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Asked right before the connection is made, so that no name can mean one address when it is checked and another when it is used. */
const lookupPublic: LookupFunction = (hostname, options, answer) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return answer(error, '', 0);
    const hidden = addresses.find(({ address }) => !isPublicAddress(address));
    const [first] = addresses;
    if (hidden || !first) return answer(new Error(`${hostname} is not on the public internet`), '', 0);
    return options.all ? answer(null, addresses) : answer(null, first.address, first.family);
  });
};

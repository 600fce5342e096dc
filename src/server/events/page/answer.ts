/** A text as it goes over the wire: made once, in each encoding, with all its headers, so that serving it is a look-up and a write. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Encoding, encodingFor } from './encoding.ts';

export interface Answer {
  status: 200 | 304;
  /** Names and values by turns, as node:http writes them fastest. */
  headers: string[];
  body: Buffer | null;
}

export interface Answers {
  etag: string;
  bytes: number;
  whole: Record<Encoding, Answer>;
  unchanged: Answer;
}

/** Well below the best: these are made anew during a sale. */
const BROTLI_QUALITY = 5;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * @param headers what every answer carries
 * @param caching for how long browsers and other caches may keep it
 */
export async function answersOf(
  text: string,
  type: string,
  caching: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answers> {
  const identity = Buffer.from(text);
  // Weak, because it names the words and not the bytes: the same in every encoding.
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  const kept = ['etag', etag, 'cache-control', caching, 'vary', 'accept-encoding'];
  const constant = Object.entries(headers).flat();

  const whole = (body: Buffer, encoding: Encoding): Answer => ({
    status: 200,
    headers: [
      'content-type',
      type,
      'content-length',
      String(body.length),
      ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
      ...kept,
      ...constant,
    ],
    body,
  });
  const compressed = await Promise.all([
    brotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    zip(identity),
  ]);
  return {
    etag,
    bytes: identity.length + compressed[0].length + compressed[1].length,
    whole: {
      br: whole(compressed[0], 'br'),
      gzip: whole(compressed[1], 'gzip'),
      identity: whole(identity, 'identity'),
    },
    // Only what a cache needs to go on (RFC 9110, 15.4.5): the other headers it has kept with the body.
    unchanged: { status: 304, headers: kept, body: null },
  };
}

/**
 * @param known what the visitor has: the header If-None-Match
 * @param accepted what the visitor reads: the header Accept-Encoding
 */
export function answerFor(answers: Answers, known: string | undefined, accepted: string | undefined): Answer {
  if (known !== undefined && (known === answers.etag || names(known, answers.etag))) return answers.unchanged;
  return answers.whole[encodingFor(accepted)];
}

/** A proxy may list several, or have dropped the mark of weakness. */
function names(header: string, etag: string): boolean {
  const bare = etag.slice('W/'.length);
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === bare);
}

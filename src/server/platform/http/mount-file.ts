/** Mounts an endpoint that answers with a download. Guards and input parsing are the same as in `mount`. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AnyEndpoint, InputOf } from '#contract/endpoint.ts';
import { AppError } from '#server/platform/app-error.ts';
import { cookiesOf } from './cookies.ts';
import { type Callers, claimsOf, type Guard } from './guards.ts';
import { parseInput, readInput } from './read-input.ts';

const BINARY = ['application/pdf', 'application/vnd.apple.pkpass', 'image/jpeg', 'image/png'] as const;

type BinaryType = (typeof BINARY)[number];

export interface FileDownload {
  fileName: string;
  /** Where one endpoint has files of several types. */
  type?: 'text/csv' | BinaryType;
  chunks: AsyncIterable<string> | Iterable<string | Uint8Array>;
}

/** @param pageFor the page that explains a denial to someone who followed a link, instead of the error's JSON */
export function mountFile<E extends AnyEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  type: 'text/csv' | 'application/json' | BinaryType,
  fileOf: (input: InputOf<E>, caller: Callers[E['access']] & { ip: string }) => Promise<FileDownload>,
  pageFor: (denial: AppError, input: InputOf<E>) => string | null = () => null,
): void {
  const { guards, publicUrl } = app.handstamp;
  const guard: Guard<E['access']> = guards[endpoint.access];

  // Fastify would answer HEAD by running the handler and discarding the file.
  app.get(endpoint.path, { config: { endpoint }, exposeHeadRoute: false }, async (request, reply) => {
    const cookies = cookiesOf(request, reply, publicUrl.startsWith('https:'));
    const { caller } = await guard(claimsOf(request, reply, { cookies, eventId: null }));
    const { fields } = await readInput(endpoint, request);
    const input = parseInput(endpoint, fields);
    try {
      return await send(reply, type, await fileOf(input, { ...caller, ip: request.ip }));
    } catch (error) {
      const denial: AppError | null = error instanceof AppError ? error : null;
      const page = denial && request.headers.accept?.includes('text/html') ? pageFor(denial, input) : null;
      if (page === null) throw error;
      return reply.redirect(page, 303);
    }
  });
}

/** Produces chunks on demand: a slow reader fills no memory, and a disconnect stops the work. */
function send(reply: FastifyReply, usualType: string, { fileName, type: ownType, chunks }: FileDownload) {
  const type = ownType ?? usualType;
  return reply
    .header('content-type', BINARY.some((binary) => binary === type) ? type : `${type}; charset=utf-8`)
    .header('content-disposition', attachment(fileName))
    .send(Readable.from(chunks, { highWaterMark: 1 }));
}

/** The file name in ASCII and, as RFC 6266 allows, in UTF-8. */
function attachment(fileName: string): string {
  // Replaces control characters and those that file systems reserve.
  const safe = fileName.replace(/[\p{C}"*/:<>?\\|]+/gu, ' ').replace(/\s+/g, ' ');
  const ascii = safe.normalize('NFKD').replace(/[^\x20-\x7e]/g, '');
  const encoded = encodeURIComponent(safe).replace(/['()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

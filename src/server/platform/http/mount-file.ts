/** A call that answers with a file, for the person to keep. Who may ask, and for what, is decided as for any other call. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AnyEndpoint, InputOf } from '#contract/endpoint.ts';
import { cookiesOf } from './cookies.ts';
import type { Callers, Guard } from './guards.ts';
import { parsed, sent } from './mount.ts';

export interface CachedFile {
  fileName: string;
  pieces: AsyncIterable<string>;
}

export function mountFile<E extends AnyEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  type: 'text/csv' | 'application/json',
  fileOf: (input: InputOf<E>, caller: Callers[E['access']] & { ip: string }) => Promise<CachedFile>,
): void {
  const { guards, publicUrl } = app.handstamp;
  const guard: Guard<E['access']> = guards[endpoint.access];

  // Fastify answers HEAD by running the same handler and throwing away what it makes: the whole list would be read for nothing.
  app.get(endpoint.path, { config: { endpoint }, exposeHeadRoute: false }, async (request, reply) => {
    const { caller } = await guard(cookiesOf(request, reply, publicUrl.startsWith('https:')), null);
    const { fields } = await sent(endpoint, request);
    return send(reply, type, await fileOf(parsed(endpoint, fields), { ...caller, ip: request.ip }));
  });
}

/** The next piece is made when the last one has left: a slow reader fills no memory, and one who leaves ends the work. */
function send(reply: FastifyReply, type: string, { fileName, pieces }: CachedFile) {
  return reply
    .header('content-type', `${type}; charset=utf-8`)
    .header('content-disposition', attachment(fileName))
    .send(Readable.from(pieces, { highWaterMark: 1 }));
}

/** Twice, as RFC 6266 has it: for whoever reads only plain letters, and with all of them. */
function attachment(fileName: string): string {
  // What no file system takes, or takes for something else, is left out.
  const kept = fileName.replace(/[\p{C}"*/:<>?\\|]+/gu, ' ').replace(/\s+/g, ' ');
  const plain = kept.normalize('NFKD').replace(/[^\x20-\x7e]/g, '');
  const encoded = encodeURIComponent(kept).replace(/['()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

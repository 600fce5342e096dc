/** `/metrics`: for programs that know the token. To everybody else it is not there. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { notFoundPage } from '#contract/sentences.ts';
import { notFound } from '#server/platform/app-error.ts';

interface Options {
  token: string;
  read: () => Promise<string>;
}

export function metrics(app: FastifyInstance, { token, read }: Options): void {
  app.get('/metrics', async ({ headers }, reply) => {
    const [scheme = '', given = ''] = (headers.authorization ?? '').split(' ');
    if (scheme.toLowerCase() !== 'bearer' || !isSame(given, token)) throw notFound(notFoundPage);
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await read());
  });
}

/** Takes as long for a wrong token as for the right one. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

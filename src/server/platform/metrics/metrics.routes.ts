/** `/metrics`: answers requests with the bearer token, and 404 to all others. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { notFoundPage } from '#contract/messages/requests.ts';
import { notFound } from '#server/platform/app-error.ts';

interface Options {
  token: string;
  read: () => Promise<string>;
}

export function metrics(app: FastifyInstance, { token, read }: Options): void {
  app.get('/metrics', async ({ headers }, reply) => {
    const [scheme = '', presented = ''] = (headers.authorization ?? '').split(' ');
    if (scheme.toLowerCase() !== 'bearer' || !isEqual(presented, token)) throw notFound(notFoundPage);
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await read());
  });
}

/** Constant-time comparison. */
function isEqual(presented: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(presented), digest(token));
}

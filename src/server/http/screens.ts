/** Serves the built web: hashed files for ever, and the page itself for every address that a screen has. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { notFoundPage } from '#contract/sentences.ts';
import { notFound } from '#server/refusal.ts';

/** Addresses of the web's screens, in any case; `:x` is one path segment. */
const SCREENS = [
  '/',
  '/register',
  '/login',
  '/verify-email',
  '/forgot-password',
  '/reset-password/:token',
  '/change-email',
  '/profile',
  '/payment/:eventId',
  '/success',
  '/scanner',
  '/legal',
  '/faq',
].map((path) => new RegExp(`^${path.replace(/:\w+/, '[^/]+')}/?$`, 'i'));

const NO_PAGES = /^\/(api|sandbox|photos|static)(\/|$)/;

export async function screens(app: FastifyInstance, webRoot: string): Promise<void> {
  const page = await readFile(join(webRoot, 'index.html'));

  await app.register(fastifyStatic, {
    root: join(webRoot, 'static'),
    prefix: '/static/',
    maxAge: '1y',
    immutable: true,
  });

  app.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const isScreen = SCREENS.some((screen) => screen.test(path));
    // A mistyped call or file answers like one; a person who follows a dead link gets a page.
    const wantsPage = request.headers.accept?.includes('text/html') && !NO_PAGES.test(path);
    if (!isScreen && !wantsPage) throw notFound(notFoundPage);
    return reply
      .code(isScreen ? 200 : 404)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page);
  });
}

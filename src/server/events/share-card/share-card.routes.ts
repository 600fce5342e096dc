import type { FastifyInstance } from 'fastify';

import { posterSvg } from '#domain/poster.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { IMAGE_POLICY } from '#server/platform/http/headers.ts';
import { readShareCard } from './read-share-card.ts';

/** Loadable from other sites, which embed it. Follows changes to the event within minutes. */
const CARD_HEADERS = {
  'content-type': 'image/png',
  'content-security-policy': IMAGE_POLICY,
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=300',
};

const POSTER_HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': IMAGE_POLICY,
  'cache-control': 'public, max-age=31536000, immutable',
};

export function shareCardRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { file: string } }>('/og/:file', async ({ params }, reply) => {
    const id = /^([\w-]{1,64})\.png$/.exec(params.file)?.[1];
    const card = id === undefined ? null : await readShareCard(deps, id);
    if (!card) throw new AppError('page.not-found');
    return reply.headers(CARD_HEADERS).send(card);
  });

  // The poster follows from the id alone.
  app.get<{ Params: { file: string } }>('/poster/:file', async ({ params }, reply) => {
    const id = /^([\w-]{16})\.svg$/.exec(params.file)?.[1];
    if (id === undefined) throw new AppError('page.not-found');
    return reply.headers(POSTER_HEADERS).send(posterSvg(id));
  });
}

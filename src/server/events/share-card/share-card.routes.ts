import type { FastifyInstance } from 'fastify';
import { notFoundPage } from '#contract/messages/requests.ts';
import { notFound } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readShareCard } from './read-share-card.ts';

/** Loadable from other sites, which embed it. Follows changes to the event within minutes. */
const CARD_HEADERS = {
  'content-type': 'image/png',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=300',
};

export function shareCardRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { file: string } }>('/og/:file', async ({ params }, reply) => {
    const id = /^([\w-]{1,64})\.png$/.exec(params.file)?.[1];
    const card = id === undefined ? null : await readShareCard(deps, id);
    if (!card) throw notFound(notFoundPage);
    return reply.headers(CARD_HEADERS).send(card);
  });
}

/** Stripe's hosted pages as plain HTML forms on the product's origin. */

import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { PageCore } from '../core.ts';
import { connectRoutes } from './connect-page.ts';
import { consoleRoutes } from './console-page.ts';
import { expressRoutes } from './express-page.ts';
import { messagePage } from './layout.ts';
import { payRoutes } from './pay-routes.ts';

const FORM = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 64 * 1024;
const PACKAGES = '../../../node_modules/';
const FONTS = {
  'bricolage-grotesque': '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2',
  'instrument-sans': '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
};

export function hostedPages(core: PageCore): FastifyPluginAsync {
  return async (app) => {
    // Replaces the product's form parser, if it has one.
    if (app.hasContentTypeParser(FORM)) app.removeContentTypeParser(FORM);
    app.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    app.addHook('onSend', async (_request, reply) => {
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    });
    app.setErrorHandler(sendErrorPage);
    // Delivers what an earlier process left in the queue, now that the product can receive it.
    app.addHook('onListen', async () => core.webhooks.wake());
    await assetRoutes(app);
    payRoutes(app, core);
    connectRoutes(app, core);
    expressRoutes(app, core);
    consoleRoutes(app, core);
  };
}

function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 500) request.log.error({ err: error }, 'sandbox page failed');
  const page = messagePage('Something went wrong', "You weren't charged. Reload the page to try again.");
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}

async function assetRoutes(app: FastifyInstance): Promise<void> {
  const stylesheet = await readFile(new URL('./styles.css', import.meta.url), 'utf8');
  app.get('/sandbox/styles.css', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('text/css; charset=utf-8').send(stylesheet),
  );
  for (const [name, path] of Object.entries(FONTS)) {
    const file = await readFile(new URL(PACKAGES + path, import.meta.url)).catch(() => null);
    // Without the font package, the stylesheet falls back to system fonts.
    if (!file) continue;
    app.get(`/sandbox/fonts/${name}.woff2`, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=86400').type('font/woff2').send(file),
    );
  }
}

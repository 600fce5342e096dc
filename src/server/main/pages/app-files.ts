/** Serves the built files with fixed URLs. Browsers must revalidate them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { FOR_OTHER_SITES } from '#server/platform/http/headers.ts';
import { PUBLIC_ID } from '#server/platform/ids.ts';

/** A service worker needs a JavaScript content type, and the root path for its scope. */
const FILES = {
  'worker.js': 'text/javascript; charset=utf-8',
  // Of the page of a draft.
  'preview.js': 'text/javascript; charset=utf-8',
  'preview.css': 'text/css; charset=utf-8',
  'icon-192.png': 'image/png',
  'icon-512.png': 'image/png',
  'icon-maskable-512.png': 'image/png',
};

/** Runs on other websites, which name no version of it: they get another one within minutes. */
const ELEMENT = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
  ...FOR_OTHER_SITES,
};

/** @param webRoot folder of the client build */
export async function appFiles(app: FastifyInstance, webRoot: string): Promise<void> {
  await manifest(app, webRoot);
  const element = await readFile(join(webRoot, 'embed.js'));
  app.get('/embed.js', async (_request, reply) => reply.headers(ELEMENT).send(element));
  for (const [name, type] of Object.entries(FILES)) {
    const content = await readFile(join(webRoot, name));
    app.get(`/${name}`, async (_request, reply) => reply.header('cache-control', 'no-cache').type(type).send(content));
  }
}

const querySchema = z.object({ event: z.string().regex(PUBLIC_ID) });

/**
 * The web app manifest of the scanner. On some phones an installed app has separate storage, so its start URL names the event for
 * which it was installed.
 */
async function manifest(app: FastifyInstance, webRoot: string): Promise<void> {
  const scanner = z.looseObject({}).parse(JSON.parse(await readFile(join(webRoot, 'manifest.webmanifest'), 'utf8')));
  app.get('/manifest.webmanifest', async ({ query }, reply) => {
    const { data } = querySchema.safeParse(query);
    const start = data && { start_url: `/scanner?installed=${data.event}` };
    return reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify({ ...scanner, ...start }));
  });
}

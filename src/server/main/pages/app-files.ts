/** The few built files whose address never changes, so that none of them is kept without asking again. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { EVENT_ID } from '#server/platform/ids.ts';

/** A browser takes no worker of another type, and none from a folder for more than that folder: it lies at the top. */
const FILES = {
  'worker.js': 'text/javascript; charset=utf-8',
  'icon-192.png': 'image/png',
  'icon-512.png': 'image/png',
  'icon-maskable-512.png': 'image/png',
};

/** @param webRoot folder of the client's build */
export async function appFiles(app: FastifyInstance, webRoot: string): Promise<void> {
  await manifest(app, webRoot);
  for (const [name, type] of Object.entries(FILES)) {
    const content = await readFile(join(webRoot, name));
    app.get(`/${name}`, async (_request, reply) => reply.header('cache-control', 'no-cache').type(type).send(content));
  }
}

const asked = z.object({ event: z.string().regex(EVENT_ID) });

/**
 * What the scanner is installed by. On some phones an installed page has a storage of its own, which knows of no door: it starts with the
 * event at whose door it was installed.
 */
async function manifest(app: FastifyInstance, webRoot: string): Promise<void> {
  const scanner = z.looseObject({}).parse(JSON.parse(await readFile(join(webRoot, 'manifest.webmanifest'), 'utf8')));
  app.get('/manifest.webmanifest', async ({ query }, reply) => {
    const { data } = asked.safeParse(query);
    const start = data && { start_url: `/scanner?installed=${data.event}` };
    return reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify({ ...scanner, ...start }));
  });
}

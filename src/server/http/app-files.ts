/** The few built files whose address never changes, so that none of them is kept without asking again. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** A browser takes no worker of another type, and none from a folder for more than that folder: it lies at the top. */
const FILES = {
  'worker.js': 'text/javascript; charset=utf-8',
  'manifest.webmanifest': 'application/manifest+json; charset=utf-8',
  'icon-192.png': 'image/png',
  'icon-512.png': 'image/png',
  'icon-maskable-512.png': 'image/png',
};

/** @param webRoot folder of the client's build */
export async function appFiles(app: FastifyInstance, webRoot: string): Promise<void> {
  for (const [name, type] of Object.entries(FILES)) {
    const content = await readFile(join(webRoot, name));
    app.get(`/${name}`, async (_request, reply) => reply.header('cache-control', 'no-cache').type(type).send(content));
  }
}

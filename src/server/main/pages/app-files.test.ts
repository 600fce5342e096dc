import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { appFiles } from './app-files.ts';

async function openApp() {
  const folder = await mkdtemp(join(tmpdir(), 'handstamp-app-files-'));
  for (const name of [
    'worker.js',
    'preview.js',
    'embed.js',
    'preview.css',
    'icon-192.png',
    'icon-512.png',
    'icon-maskable-512.png',
  ])
    await writeFile(join(folder, name), '');
  await writeFile(join(folder, 'manifest.webmanifest'), JSON.stringify({ name: 'The door', start_url: '/scanner' }));
  const app = Fastify();
  await appFiles(app, folder);
  onTestFinished(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  return app;
}

const EVENT = 'AbCd_fGh-jKlMnOp';

it.each([
  ['', '/scanner'],
  [`?event=${EVENT}`, `/scanner?installed=${EVENT}`],
  ['?event=', '/scanner'],
  ['?event=https://elsewhere.example', '/scanner'],
  [`?event=${EVENT}&event=${EVENT}`, '/scanner'],
])('the manifest for %j starts the scanner at %s', async (query, start_url) => {
  const app = await openApp();

  const reply = await app.inject(`/manifest.webmanifest${query}`);

  expect(reply.headers['content-type']).toBe('application/manifest+json; charset=utf-8');
  expect(reply.json()).toEqual({ name: 'The door', start_url });
});

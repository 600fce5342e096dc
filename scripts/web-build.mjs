/** Builds the web room: dist/web for the browser, dist/server-web to draw the public pages with; then the worker that keeps pages. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { brokenBudgets } from './budgets.mjs';
import { root, run, secondsSince, withPackages } from './run.mjs';

const SOURCES = [
  'src/web',
  'src/service-worker',
  'src/contract',
  'src/domain',
  'vite.config.ts',
  'vite.worker.config.ts',
  'package-lock.json',
];
/** In this order: the worker knows the names of the files that the first one makes. */
const BUILDS = [[], ['--ssr', 'entry-server.tsx'], ['--config', 'vite.worker.config.ts']];
const STAMP = path.join(root, 'dist', 'web.built-from');

/** @returns {Promise<{ succeeded: boolean, said: string }>} */
export async function buildWeb() {
  rmSync(STAMP, { force: true });
  const from = fingerprint();
  for (const options of BUILDS) {
    const env = withPackages({ NODE_ENV: 'production' });
    const outcome = await run('vite', ['build', ...options, '--logLevel', 'warn'], { env });
    if (!outcome.succeeded) return outcome;
  }
  const broken = brokenBudgets();
  if (broken.length > 0) return { succeeded: false, said: broken.join('\n') };

  compressFiles();
  mkdirSync(path.dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, from);
  return { succeeded: true, said: '' };
}

/** Beside each file of text lies what the server sends of it: squeezed once here, instead of with each request. */
function compressFiles() {
  for (const file of filesOf(path.join(root, 'dist', 'web', 'static'))) {
    if (!/\.(js|css|svg|wasm)$/.test(file)) continue;
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

export async function buildWebIfChanged() {
  const page = path.join(root, 'dist', 'web', 'index.html');
  if (existsSync(page) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint())
    return { succeeded: true, said: '' };
  const start = Date.now();
  const outcome = await buildWeb();
  if (outcome.succeeded) console.log(`Built the web pages in ${secondsSince(start)}.`);
  return outcome;
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesOf(path.join(root, source)))) {
    hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesOf(place) {
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place)
    .sort()
    .flatMap((name) => filesOf(path.join(place, name)));
}

/** Builds the web pages: dist/web for the browser, dist/server-web for server rendering, then the service worker and the embedded tickets. */
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
  'src/messages',
  'vite.config.ts',
  'vite.embed.config.ts',
  'vite.worker.config.ts',
  'package-lock.json',
];
/** In this order: the service worker needs the file names of the first build, and the last two add to its folder. */
const BUILDS = [
  [],
  ['--ssr', 'entry-server.tsx'],
  ['--config', 'vite.worker.config.ts'],
  ['--config', 'vite.embed.config.ts'],
];
const STAMP = path.join(root, 'dist', 'web.built-from');

/** @returns {Promise<{ succeeded: boolean, output: string }>} */
export async function buildWeb() {
  rmSync(STAMP, { force: true });
  const from = fingerprint();
  for (const options of BUILDS) {
    const env = withPackages({ NODE_ENV: 'production' });
    const outcome = await run('vite', ['build', ...options, '--logLevel', 'warn'], { env });
    if (!outcome.succeeded) return outcome;
  }
  const broken = brokenBudgets();
  if (broken.length > 0) return { succeeded: false, output: broken.join('\n') };

  compressFiles();
  mkdirSync(path.dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, from);
  return { succeeded: true, output: '' };
}

/**
 * Compresses each text file once at build time, next to the original, so that the server doesn't compress per request.
 */
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
    return { succeeded: true, output: '' };
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

function filesOf(location) {
  if (!existsSync(location)) return [];
  if (!statSync(location).isDirectory()) return [location];
  return readdirSync(location)
    .sort()
    .flatMap((name) => filesOf(path.join(location, name)));
}

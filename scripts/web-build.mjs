/** Builds the web room into dist/web, when its sources are not the ones it was last built from. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, run, secondsSince, withPackages } from './run.mjs';

const SOURCES = ['src/web', 'src/contract', 'src/domain', 'vite.config.ts', 'package-lock.json'];
const STAMP = path.join(root, 'dist', 'web.built-from');

/** @returns {Promise<{ succeeded: boolean, said: string }>} */
export async function buildWeb() {
  rmSync(STAMP, { force: true });
  const from = fingerprint();
  const outcome = await run('vite', ['build', '--logLevel', 'warn'], { env: withPackages({ NODE_ENV: 'production' }) });
  if (outcome.succeeded) {
    mkdirSync(path.dirname(STAMP), { recursive: true });
    writeFileSync(STAMP, from);
  }
  return outcome;
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

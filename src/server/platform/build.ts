/** Which code runs: for operators who roll from one version to the next. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

const ROOT = new URL('../../../', import.meta.url);

export interface Build {
  version: string;
  commit: string;
  /** The newest migration that this code knows. */
  schema: string;
}

let known: Build | null = null;

export function readBuild(): Build {
  known ??= { version: readVersion(), commit: readCommit(), schema: newestMigration() };
  return known;
}

const manifest = z.object({ version: z.string() });

const readVersion = () => manifest.parse(JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))).version;

const COMMIT = /^[0-9a-f]{40}$/;
const SHOWN_DIGITS = 12;

/** `git archive` writes the commit into the file. In a clone it is a placeholder, and git knows. */
function readCommit(): string {
  const written = readFileSync(new URL('commit.txt', ROOT), 'utf8').trim();
  const commit = COMMIT.test(written) ? written : commitOfClone();
  return commit.slice(0, SHOWN_DIGITS);
}

function commitOfClone(): string {
  try {
    const cwd = fileURLToPath(ROOT);
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}

/** Its number. */
const newestMigration = () =>
  readdirSync(new URL('migrations/', ROOT))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-1)
    ?.slice(0, 4) ?? 'none';

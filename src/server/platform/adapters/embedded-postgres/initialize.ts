/** Creates the database directory atomically. */
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type DataDirectory, isErrno } from './data-directory.ts';
import { type Programs, programPath } from './programs.ts';
import { runProgram } from './run-program.ts';
import { StartFailure } from './start-failure.ts';

export const DATABASE_USER = 'handstamp';

export async function initializeOnce(data: DataDirectory, programs: Programs): Promise<void> {
  removeLeftovers(data.databaseDir);
  if (existsSync(data.databaseDir) && readdirSync(data.databaseDir).length > 0) return;
  const unfinished = `${data.databaseDir}.new-${process.pid}`;
  mkdirSync(unfinished, { mode: 0o700 });
  if (data.account) chownSync(unfinished, data.account.uid, data.account.gid);
  const { succeeded, output } = await runProgram(programPath(programs, 'initdb'), initdbOptions(unfinished), data);
  if (!succeeded) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new StartFailure(`PostgreSQL could not make its database in ${data.databaseDir}:\n${output}`);
  }
  moveIntoDataDirectory(unfinished, data.databaseDir);
}

// A minimal system has no locales, so the collation is PostgreSQL's built-in one.
const initdbOptions = (directory: string) => [
  `--pgdata=${directory}`,
  `--username=${DATABASE_USER}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

// If two first starts run concurrently, the second to finish uses the directory of the first.
function moveIntoDataDirectory(unfinished: string, databaseDir: string) {
  try {
    renameSync(unfinished, databaseDir);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (isErrno(error) && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')) return;
    throw error;
  }
}

/** Removes leftovers of killed first starts. The name contains the process id, so that those of running ones stay. */
function removeLeftovers(databaseDir: string) {
  const parent = path.dirname(databaseDir);
  const prefix = `${path.basename(databaseDir)}.new-`;
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length));
    if (pid === process.pid || !isAlive(pid)) rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error) && error.code === 'EPERM';
  }
}

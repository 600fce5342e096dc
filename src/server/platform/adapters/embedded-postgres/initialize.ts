/** Makes the database's directory, complete or not at all. */
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type DataDirectory, isErrno } from './data-directory.ts';
import { type Programs, programPath } from './programs.ts';
import { runProgram } from './run-program.ts';
import { StartFailure } from './start-failure.ts';

export const DATABASE_USER = 'handstamp';

export async function initialiseOnce(place: DataDirectory, programs: Programs): Promise<void> {
  removeLeftovers(place.databaseDir);
  if (existsSync(place.databaseDir) && readdirSync(place.databaseDir).length > 0) return;
  const unfinished = `${place.databaseDir}.new-${process.pid}`;
  mkdirSync(unfinished, { mode: 0o700 });
  if (place.account) chownSync(unfinished, place.account.uid, place.account.gid);
  const { succeeded, said } = await runProgram(programPath(programs, 'initdb'), initdbOptions(unfinished), place);
  if (!succeeded) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new StartFailure(`PostgreSQL could not make its database in ${place.databaseDir}:\n${said}`);
  }
  moveIntoDataDirectory(unfinished, place.databaseDir);
}

// A bare system has no locales, so the collation comes from PostgreSQL itself.
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

// Two first starts at once: the second to finish finds the place taken and uses what is there.
function moveIntoDataDirectory(unfinished: string, databaseDir: string) {
  try {
    renameSync(unfinished, databaseDir);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (isErrno(error) && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')) return;
    throw error;
  }
}

/** What a first start that was killed left behind. Its process id is part of the name: a living one is still at it. */
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

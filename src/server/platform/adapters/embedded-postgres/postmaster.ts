/** PostgreSQL's own supervising process: finding one that runs, starting one, stopping it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataDirectory } from './data-directory.ts';
import { isAlive } from './initialize.ts';
import { type Programs, programPath } from './programs.ts';
import { runProgram } from './run-program.ts';
import { StartFailure } from './start-failure.ts';

export interface Postmaster {
  pid: number;
  socketDirectory: string;
}

const SECONDS_TO_SETTLE = 60;

/**
 * The PostgreSQL that runs on this directory now, waiting for one that is still starting or stopping.
 *
 * Its pid file survives a power cut, after which the number may belong to any process: the file is believed only if that
 * process works in this very directory.
 */
export async function findPostmaster(databaseDir: string): Promise<Postmaster | undefined> {
  for (let tries = 0; tries < SECONDS_TO_SETTLE * 4; tries++) {
    const file = readPidFile(databaseDir);
    if (!file || !isAlive(file.pid)) return undefined;
    if (!worksIn(file.pid, databaseDir)) {
      rmSync(path.join(databaseDir, 'postmaster.pid'), { force: true });
      return undefined;
    }
    if (file.status === 'ready') return file;
    await sleep(250);
  }
  throw new StartFailure(
    `The PostgreSQL that runs on ${databaseDir} (pid ${readPidFile(databaseDir)?.pid}) is neither ready nor ended after ` +
      `${SECONDS_TO_SETTLE} seconds. Stop it, then start again.`,
  );
}

export type StartResult = { started: true } | { started: false; alreadyRunning: boolean; said: string };

/** Starts PostgreSQL apart from the terminal's process group, so that Ctrl-C does not end it under the server. */
export async function startPostmaster(
  place: DataDirectory,
  programs: Programs,
  settings: Readonly<Record<string, string>>,
): Promise<StartResult> {
  const log = path.join(place.databaseDir, 'server.log');
  if (existsSync(log)) renameSync(log, `${log}.1`);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  const { succeeded, said } = await runProgram(
    programPath(programs, 'pg_ctl'),
    ['start', '-w', '-t', '120', '-D', place.databaseDir, '-l', log, '-o', options.join(' ')],
    place,
  );
  if (succeeded) return { started: true };
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-12).join('\n') : said;
  return { started: false, alreadyRunning: lines.includes('postmaster.pid" already exists'), said: lines };
}

export async function stopPostmaster(place: DataDirectory, programs: Programs): Promise<void> {
  const stop = (mode: string, seconds: number) =>
    runProgram(
      programPath(programs, 'pg_ctl'),
      ['stop', '-w', '-t', String(seconds), '-m', mode, '-D', place.databaseDir],
      place,
    );
  const { succeeded } = await stop('fast', 30);
  if (!succeeded && existsSync(path.join(place.databaseDir, 'postmaster.pid'))) await stop('immediate', 10);
}

// Lines of postmaster.pid: pid, data directory, start time, port, socket directory, listen address, shared memory, status.
function readPidFile(databaseDir: string): (Postmaster & { status: string }) | undefined {
  const file = path.join(databaseDir, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, socketDirectory: (lines[4] ?? '').trim(), status: (lines[7] ?? '').trim() };
}

function worksIn(pid: number, databaseDir: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === databaseDir;
    return execFileSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' }).includes('postgres');
  } catch {
    // Another account's process tells nothing; a database of this account is not run by another.
    return false;
  }
}

/** Finds, starts and stops the postmaster, PostgreSQL's main process. */
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

const SETTLE_TIMEOUT_SECONDS = 60;

/**
 * Finds the postmaster of this directory, waiting while it is starting or stopping.
 *
 * The pid file survives a power cut, after which its pid may belong to any process. It is trusted only if the process has this
 * directory as its working directory.
 */
export async function findPostmaster(databaseDir: string): Promise<Postmaster | undefined> {
  for (let attempt = 0; attempt < SETTLE_TIMEOUT_SECONDS * 4; attempt++) {
    const file = readPidFile(databaseDir);
    if (!file || !isAlive(file.pid)) return undefined;
    if (!hasWorkingDirectory(file.pid, databaseDir)) {
      rmSync(path.join(databaseDir, 'postmaster.pid'), { force: true });
      return undefined;
    }
    if (file.status === 'ready') return file;
    await sleep(250);
  }
  throw new StartFailure(
    `The PostgreSQL that runs on ${databaseDir} (pid ${readPidFile(databaseDir)?.pid}) is neither ready nor ended after ` +
      `${SETTLE_TIMEOUT_SECONDS} seconds. Stop it, then start again.`,
  );
}

export type StartResult = { started: true } | { started: false; alreadyRunning: boolean; output: string };

/** Starts PostgreSQL outside the terminal's process group, so that Ctrl-C reaches only the server, which stops it cleanly. */
export async function startPostmaster(
  data: DataDirectory,
  programs: Programs,
  settings: Readonly<Record<string, string>>,
): Promise<StartResult> {
  const log = path.join(data.databaseDir, 'server.log');
  if (existsSync(log)) renameSync(log, `${log}.1`);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  const { succeeded, output } = await runProgram(
    programPath(programs, 'pg_ctl'),
    ['start', '-w', '-t', '120', '-D', data.databaseDir, '-l', log, '-o', options.join(' ')],
    data,
  );
  if (succeeded) return { started: true };
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-12).join('\n') : output;
  return { started: false, alreadyRunning: lines.includes('postmaster.pid" already exists'), output: lines };
}

export async function stopPostmaster(data: DataDirectory, programs: Programs): Promise<void> {
  const stop = (mode: string, seconds: number) =>
    runProgram(
      programPath(programs, 'pg_ctl'),
      ['stop', '-w', '-t', String(seconds), '-m', mode, '-D', data.databaseDir],
      data,
    );
  const { succeeded } = await stop('fast', 30);
  if (!succeeded && existsSync(path.join(data.databaseDir, 'postmaster.pid'))) await stop('immediate', 10);
}

// Lines: pid, data directory, start time, port, socket directory, listen address, shared memory, status.
function readPidFile(databaseDir: string): (Postmaster & { status: string }) | undefined {
  const file = path.join(databaseDir, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, socketDirectory: (lines[4] ?? '').trim(), status: (lines[7] ?? '').trim() };
}

function hasWorkingDirectory(pid: number, databaseDir: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === databaseDir;
    return execFileSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' }).includes('postgres');
  } catch {
    // Processes of other accounts cannot be inspected, and none of them runs our database.
    return false;
  }
}

import { spawn } from 'node:child_process';

/** An account of the operating system. PostgreSQL refuses to run as root, so root lends it one. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

export interface ProgramResult {
  succeeded: boolean;
  /** What it printed, both streams. */
  said: string;
}

/**
 * Runs a program to its end, under another account if one is given.
 *
 * The environment is not inherited: a PGDATA, PGPORT or PGHOST of the person's own would redirect PostgreSQL's programs.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { account, cwd = '/' }: { account: Account | undefined; cwd?: string },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(account && { uid: account.uid, gid: account.gid }),
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on('error', (error) => resolve({ succeeded: false, said: error.message }));
    child.on('close', (code) => resolve({ succeeded: code === 0, said: said.trim() }));
  });
}

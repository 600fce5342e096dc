import { spawn } from 'node:child_process';

/** An operating system account. PostgreSQL refuses to run as root, so root runs it under another one. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

export interface ProgramResult {
  succeeded: boolean;
  /** Standard output and standard error. */
  output: string;
}

/**
 * Runs a program to completion, optionally under another account.
 *
 * The environment is not inherited, because PGDATA, PGPORT or PGHOST would redirect PostgreSQL's programs.
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
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', (error) => resolve({ succeeded: false, output: error.message }));
    child.on('close', (code) => resolve({ succeeded: code === 0, output: output.trim() }));
  });
}

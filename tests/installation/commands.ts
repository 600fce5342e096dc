import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const MAX_OUTPUT = 64 * 1024 ** 2;
const executed = promisify(execFile);

export interface Surroundings {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Who runs it. */
  uid?: number;
  gid?: number;
}

/** What it printed, or an error with all of that. */
export async function run(program: string, args: readonly string[], around: Surroundings = {}): Promise<string> {
  const { env, ...rest } = around;
  const { stdout } = await executed(program, args, {
    ...rest,
    env: { ...process.env, ...env },
    maxBuffer: MAX_OUTPUT,
  });
  return stdout.trim();
}

export interface Running {
  pid: number | undefined;
  ended: Promise<number | null>;
  printed(): string;
  /** Sends SIGTERM to it and what it started, and resolves to its exit code. */
  stop(): Promise<number | null>;
}

export function start(program: string, args: readonly string[], { env, ...rest }: Surroundings = {}): Running {
  const child = spawn(program, args, {
    ...rest,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    pid: child.pid,
    ended,
    printed: () => printed,
    async stop() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
      return ended;
    },
  };
}

/** Other processes of a benchmark. They end when the benchmark does, however it ends. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { profileArguments } from './profile.ts';

export interface Child<Ready> {
  /** What it said when it was ready. */
  ready: Ready;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a file of this folder and waits for its one message. What it is given stands in `process.argv[2]` as JSON. */
export async function startChild<Ready>(file: string, given: unknown): Promise<Child<Ready>> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(given)], {
    stdio: ['ignore', 2, 2, 'ipc'],
    // Only these: a test runner starts its own processes with more.
    execArgv: profileArguments(file),
  });
  const [ready] = await Promise.race([once(child, 'message') as Promise<[Ready]>, failure(child, file)]);
  return {
    ready,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

async function failure(child: ChildProcess, file: string): Promise<never> {
  await once(child, 'exit');
  throw new Error(`${file} ended with ${child.exitCode ?? child.signalCode}`);
}

/** In a child: what it was given. */
export function given<Given>(): Given {
  return JSON.parse(process.argv[2] ?? 'null') as Given;
}

/** In a child: says that it is ready, and stays until the benchmark lets it go. */
export function standBy(ready: unknown, stop: () => Promise<unknown>): void {
  process.send?.(ready);
  process.on('disconnect', () => {
    // Work under way is nobody's any more.
    setTimeout(() => process.exit(0), 5_000).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  // Ctrl-C reaches the whole group; the benchmark decides in which order all end.
  process.on('SIGINT', () => {});
}

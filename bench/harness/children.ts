/** The other processes of a benchmark. They exit with it, even after a crash. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { profileArguments } from './profile.ts';

/** A running part of a benchmark, in this or another process. */
export interface Part<Ready> {
  /** Sent once the part is ready. */
  ready: Ready;
  stop(): Promise<unknown>;
}

export interface StartsPart<Given = unknown, Ready = unknown> {
  start(given: Given): Promise<Part<Ready>>;
}

export interface Child<Ready> extends Part<Ready> {
  /** Sends a message and waits for its answer. */
  ask<Answer>(message: object): Promise<Answer>;
}

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
let isHere = false;

/** Runs all parts in this process from now on, for runs that don't judge speed. */
export function startPartsHere(): void {
  isHere = true;
}

/** Starts a part in its own process, so that it does not share the benchmark's event loop. */
export async function startPart<Ready>(file: string, given: unknown): Promise<Part<Ready>> {
  if (!isHere) return startChild<Ready>(file, given);
  const { start } = (await import(urlOf(file))) as StartsPart<unknown, Ready>;
  return start(given);
}

/** Starts a file of this folder in its own process. */
export async function startChild<Ready>(file: string, given: unknown): Promise<Child<Ready>> {
  const child = fork(CHILD, [JSON.stringify({ url: urlOf(file), given })], {
    stdio: ['ignore', 2, 2, 'ipc'],
    // Drops the test runner's own execArgv.
    execArgv: profileArguments(file),
  });
  const failed = failure(child, file);
  // Every child exits eventually; only callers that wait for a message see an early exit as an error.
  failed.catch(() => {});
  const message = async <Message>() => {
    const [received] = await Promise.race([once(child, 'message') as Promise<[Message]>, failed]);
    return received;
  };
  return {
    ready: await message<Ready>(),
    async ask<Answer>(question: object) {
      const answer = message<Answer>();
      child.send(question);
      return answer;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

const urlOf = (file: string) => new URL(file, import.meta.url).href;

async function failure(child: ChildProcess, file: string): Promise<never> {
  await once(child, 'exit');
  throw new Error(`${file} ended with ${child.exitCode ?? child.signalCode}`);
}

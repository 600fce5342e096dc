/** Other processes of a benchmark. They end when the benchmark does, however it ends. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { profileArguments } from './profile.ts';

/** What a file of this folder starts, in whichever process. */
export interface Part<Ready> {
  /** What it says when it is ready. */
  ready: Ready;
  stop(): Promise<unknown>;
}

export interface StartsPart<Given = unknown, Ready = unknown> {
  start(given: Given): Promise<Part<Ready>>;
}

export interface Child<Ready> extends Part<Ready> {
  /** Sends a message and waits for the answer. */
  ask<Answer>(message: object): Promise<Answer>;
}

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
let isHere = false;

/** From now on parts run in this process: for runs whose speed is not judged. */
export function startPartsHere(): void {
  isHere = true;
}

/** Starts a part of the benchmark beside it: in a process of its own, so that the two share no event loop. */
export async function startPart<Ready>(file: string, given: unknown): Promise<Part<Ready>> {
  if (!isHere) return startChild<Ready>(file, given);
  const { start } = (await import(urlOf(file))) as StartsPart<unknown, Ready>;
  return start(given);
}

/** Starts a file of this folder in a process of its own. */
export async function startChild<Ready>(file: string, given: unknown): Promise<Child<Ready>> {
  const child = fork(CHILD, [JSON.stringify({ url: urlOf(file), given })], {
    stdio: ['ignore', 2, 2, 'ipc'],
    // Only these: a test runner starts its own processes with more.
    execArgv: profileArguments(file),
  });
  const failed = failure(child, file);
  // It ends in the end; who waits for a message is told if that was too soon.
  failed.catch(() => {});
  const message = async <Message>() => {
    const [said] = await Promise.race([once(child, 'message') as Promise<[Message]>, failed]);
    return said;
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

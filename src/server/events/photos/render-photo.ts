/** Re-encodes untrusted images in worker processes, two at a time. A worker that takes longer than ten seconds is killed. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PhotoDenial } from './re-encode-photo.ts';
import { createWorkQueue } from './work-queue.ts';

const WORKER_PATH = fileURLToPath(new URL('render-process.ts', import.meta.url));
const TIMEOUT_MS = 10_000;
/** How long an idle worker is kept: starting one takes as long as rendering. */
const IDLE_MS = 30_000;

const enqueue = createWorkQueue({ concurrency: 2 });
const idleWorkers: { worker: ChildProcess; exitTimer: NodeJS.Timeout }[] = [];

/** @param source a file path, or the bytes */
export function renderPhoto(
  source: Buffer | string,
  timeoutMs = TIMEOUT_MS,
): Promise<Buffer | PhotoDenial | 'too-slow'> {
  return enqueue(() => renderWith(acquireWorker(), source, timeoutMs));
}

function acquireWorker(): ChildProcess {
  const idle = idleWorkers.pop();
  if (idle) {
    clearTimeout(idle.exitTimer);
    return idle.worker;
  }
  const worker = fork(WORKER_PATH, [], { env: {}, execArgv: [], serialization: 'advanced', stdio: 'ignore' });
  // Does not keep the server running, and exits with it.
  worker.unref();
  worker.channel?.unref();
  return worker;
}

function renderWith(worker: ChildProcess, source: Buffer | string, timeoutMs: number) {
  return new Promise<Buffer | PhotoDenial | 'too-slow'>((resolve) => {
    const finish = (result: Buffer | PhotoDenial | 'too-slow', isHealthy: boolean) => {
      clearTimeout(timer);
      worker.removeAllListeners();
      // A killed worker may still emit an error.
      worker.on('error', () => {});
      if (isHealthy) releaseWorker(worker);
      else worker.kill('SIGKILL');
      resolve(result);
    };
    const timer = setTimeout(() => finish('too-slow', false), timeoutMs);
    worker.once('message', (result) => finish(parseReply(result), true));
    // A file that crashes the decoder is not a photo.
    worker.once('exit', () => finish('not-a-photo', false));
    worker.once('error', () => finish('not-a-photo', false));
    worker.send(source);
  });
}

function parseReply(message: unknown): Buffer | PhotoDenial {
  if (message instanceof Uint8Array) return Buffer.from(message);
  return message === 'too-many-pixels' ? message : 'not-a-photo';
}

function releaseWorker(worker: ChildProcess): void {
  const exitTimer = setTimeout(() => {
    idleWorkers.splice(
      idleWorkers.findIndex((entry) => entry.worker === worker),
      1,
    );
    worker.disconnect();
  }, IDLE_MS).unref();
  idleWorkers.push({ worker, exitTimer });
}

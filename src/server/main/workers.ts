/** Supervises the worker processes: starts them, replaces one that ended or hangs, and stops them. */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Channel, failure, type Handlers, openChannel } from './channel.ts';
import { CannotStart } from './start-problem.ts';

interface RunningWorker {
  slot: number;
  process: Worker;
  channel: Channel;
  /** Resolves once it serves requests; rejects if it ends before. */
  ready: Promise<void>;
  ended: Promise<void>;
  startedAt: number;
}

interface Options {
  count: number;
  log: Logger;
  /** Answers to the worker's questions. */
  answersTo: (worker: { slot: number; isFirstStart: boolean }) => Handlers;
  /** A worker that does not answer for this long counts as hung. */
  silenceMs?: number;
}

/** A worker that ran this long did not fail to start. */
const STABLE_AFTER_MS = 60_000;
const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
const SILENCE_MS = 60_000;
/** Slightly less than a worker's own shutdown timeout. */
const KILL_AFTER_MS = 28_000;

export class Workers {
  readonly #options: Options;
  readonly #running = new Map<number, RunningWorker>();
  readonly #stopping = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when all workers serve; rejects with the first start failure. */
  async start(): Promise<void> {
    const slots = Array.from({ length: this.#options.count }, (_, index) => index + 1);
    const started = slots.map((slot) => this.#launch(slot, true));
    await Promise.all(started.map(({ ready }) => ready));
    for (const running of started) void this.#supervise(running);
    void this.#watchForHangs();
  }

  /** The answers that arrive in time, each with its slot. */
  async ask(question: string, withinMs: number): Promise<{ slot: number; answer: unknown }[]> {
    const asked = [...this.#running].map(async ([slot, { channel }]) => ({
      slot,
      answer: await channel.ask(question, { withinMs }),
    }));
    const outcomes = await Promise.allSettled(asked);
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const remaining = [...this.#running.values()];
    for (const { process } of remaining) process.process.kill('SIGTERM');
    const killTimer = setTimeout(() => {
      for (const { process } of remaining) process.process.kill('SIGKILL');
    }, KILL_AFTER_MS);
    await Promise.all(remaining.map(({ ended }) => ended));
    clearTimeout(killTimer);
  }

  async #supervise(first: RunningWorker): Promise<void> {
    const { signal } = this.#stopping;
    const { slot } = first;
    // A local reference, because a worker that ended is removed from the map.
    let running: RunningWorker | null = first;
    let failures = 0;
    while (!signal.aborted) {
      await running?.ended;
      if (signal.aborted) return;
      const uptimeMs = running ? Date.now() - running.startedAt : 0;
      failures = uptimeMs > STABLE_AFTER_MS ? 1 : failures + 1;
      if (running) this.#logEnd(running);
      // The first end is replaced at once, repeated ones with an exponential backoff.
      const pause = failures === 1 ? 0 : Math.min(MIN_BACKOFF_MS * 2 ** (failures - 2), MAX_BACKOFF_MS);
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      running = await this.#replace(slot);
    }
  }

  #logEnd({ slot, process: worker }: RunningWorker): void {
    const { pid, exitCode, signalCode } = worker.process;
    const level = exitCode === 0 ? 'warn' : 'error';
    this.#options.log[level]({ slot, pid, exitCode, signalCode }, 'a worker ended and is replaced');
  }

  /** Null if the system cannot create another process. */
  async #replace(slot: number): Promise<RunningWorker | null> {
    let running: RunningWorker | null = null;
    try {
      running = this.#launch(slot, false);
      await running.ready;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.error({ slot, reason }, 'a worker could not start');
    }
    return running;
  }

  async #watchForHangs(): Promise<void> {
    const { silenceMs = SILENCE_MS, log } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(silenceMs / 4, undefined, { signal, ref: false }).catch(() => {});
      const asked = [...this.#running].map(async ([slot, { process: worker, channel }]) => {
        const isAlive = await channel.ask('ping', { withinMs: silenceMs }).then(
          () => true,
          () => false,
        );
        if (isAlive || signal.aborted || this.#running.get(slot)?.process !== worker) return;
        log.error({ slot, pid: worker.process.pid }, 'a worker does not respond and is killed');
        worker.process.kill('SIGKILL');
      });
      await Promise.all(asked);
    }
  }

  #launch(slot: number, isFirstStart: boolean): RunningWorker {
    const worker = cluster.fork();
    worker.on('error', ({ message: reason }) => {
      this.#options.log.error({ slot, pid: worker.process.pid, reason }, 'a worker cannot be reached');
    });
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    const ended = endOf(worker).then(() => {
      if (this.#running.get(slot)?.process === worker) this.#running.delete(slot);
      reject(new CannotStart('A worker ended while it was starting.', 1));
    });
    // After another worker failed, this promise is no longer awaited.
    ready.catch(() => {});
    const channel = openChannel(worker, {
      ...this.#options.answersTo({ slot, isFirstStart }),
      serving: () => resolve(),
      failed: (payload) => {
        const { message, code } = failure.parse(payload);
        reject(new CannotStart(message, code));
      },
    });
    const running = { slot, process: worker, channel, ready, ended, startedAt: Date.now() };
    this.#running.set(slot, running);
    return running;
  }
}

/** An `error` event does not mean that the worker ended; a connection passed to a dying worker causes one too. */
function endOf(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.on('error', () => {
      // A process that was never created emits no `exit`.
      if (worker.process.pid === undefined) resolve();
    });
  });
}

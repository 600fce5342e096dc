/** The processes that serve: starts them, puts a new one in the place of one that ended, and stops them all. */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Answers, type Channel, failure, openChannel } from './channel.ts';
import { CannotStart } from './start-problem.ts';

interface Serving {
  place: number;
  process: Worker;
  line: Channel;
  /** Resolves when it answers requests; rejects when it ends before. */
  ready: Promise<void>;
  ended: Promise<void>;
  startedAt: number;
}

interface Options {
  count: number;
  log: Logger;
  /** What a worker may ask of this process. */
  answersTo: (worker: { place: number; isFirstStart: boolean }) => Answers;
  /** Who answers nothing for this long hangs, and its visitors with it. */
  silenceMs?: number;
}

/** Who has served this long did not end because it cannot start. */
const STEADY_MS = 60_000;
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const SILENCE_MS = 60_000;
/** A little less than a process gives itself. */
const PATIENCE_MS = 28_000;

export class Workers {
  readonly #options: Options;
  readonly #serving = new Map<number, Serving>();
  readonly #stopping = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when all serve; rejects with what kept one of them from it. */
  async start(): Promise<void> {
    const places = Array.from({ length: this.#options.count }, (_, index) => index + 1);
    const started = places.map((place) => this.#launch(place, true));
    await Promise.all(started.map(({ ready }) => ready));
    for (const serving of started) void this.#keep(serving);
    void this.#listenToAll();
  }

  /** What those say that answer in time, each with its place. */
  async ask(question: string, withinMs: number): Promise<{ place: number; answer: unknown }[]> {
    const asked = [...this.#serving].map(async ([place, { line }]) => ({
      place,
      answer: await line.ask(question, { withinMs }),
    }));
    const outcomes = await Promise.allSettled(asked);
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const left = [...this.#serving.values()];
    for (const { process } of left) process.process.kill('SIGTERM');
    const impatience = setTimeout(() => {
      for (const { process } of left) process.process.kill('SIGKILL');
    }, PATIENCE_MS);
    await Promise.all(left.map(({ ended }) => ended));
    clearTimeout(impatience);
  }

  async #keep(first: Serving): Promise<void> {
    const { signal } = this.#stopping;
    const { place } = first;
    // Held here: one that has ended is no longer among those that serve.
    let serving: Serving | null = first;
    let endings = 0;
    while (!signal.aborted) {
      await serving?.ended;
      if (signal.aborted) return;
      const lived = serving ? Date.now() - serving.startedAt : 0;
      endings = lived > STEADY_MS ? 1 : endings + 1;
      if (serving) this.#sayEnded(serving);
      // The first is replaced at once; whatever keeps ending it is not helped by haste.
      const pause = endings === 1 ? 0 : Math.min(SHORTEST_PAUSE_MS * 2 ** (endings - 2), LONGEST_PAUSE_MS);
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      serving = await this.#replace(place);
    }
  }

  #sayEnded({ place, process: worker }: Serving): void {
    const { pid, exitCode, signalCode } = worker.process;
    const level = exitCode === 0 ? 'warn' : 'error';
    this.#options.log[level]({ place, pid, exitCode, signalCode }, 'a worker ended, another takes its place');
  }

  /** Null when the system refuses another process. */
  async #replace(place: number): Promise<Serving | null> {
    let serving: Serving | null = null;
    try {
      serving = this.#launch(place, false);
      await serving.ready;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.error({ place, reason }, 'a worker could not start');
    }
    return serving;
  }

  async #listenToAll(): Promise<void> {
    const { silenceMs = SILENCE_MS, log } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(silenceMs / 4, undefined, { signal, ref: false }).catch(() => {});
      const asked = [...this.#serving].map(async ([place, { process: worker, line }]) => {
        const isHeard = await line.ask('are you there', { withinMs: silenceMs }).then(
          () => true,
          () => false,
        );
        if (isHeard || signal.aborted || this.#serving.get(place)?.process !== worker) return;
        log.error({ place, pid: worker.process.pid }, 'a worker answers nothing, and is ended');
        worker.process.kill('SIGKILL');
      });
      await Promise.all(asked);
    }
  }

  #launch(place: number, isFirstStart: boolean): Serving {
    const worker = cluster.fork();
    worker.on('error', ({ message: reason }) => {
      this.#options.log.error({ place, pid: worker.process.pid, reason }, 'a worker cannot be reached');
    });
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    const ended = endOf(worker).then(() => {
      if (this.#serving.get(place)?.process === worker) this.#serving.delete(place);
      reject(new CannotStart('A worker ended while it was starting.', 1));
    });
    // Nobody waits any more once another one has failed.
    ready.catch(() => {});
    const line = openChannel(worker, {
      ...this.#options.answersTo({ place, isFirstStart }),
      serving: () => resolve(),
      failed: (given) => {
        const { words, code } = failure.parse(given);
        reject(new CannotStart(words, code));
      },
    });
    const serving = { place, process: worker, line, ready, ended, startedAt: Date.now() };
    this.#serving.set(place, serving);
    return serving;
  }
}

/** An error alone is no end: a connection handed to a worker that is being killed is one as well. */
function endOf(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.on('error', () => {
      // What was never forked does not exit.
      if (worker.process.pid === undefined) resolve();
    });
  });
}

/**
 * Which workers are alive. The queue itself waits four hours before it takes a job from a worker that was killed;
 * each worker is seen every few seconds here, and what a vanished one was doing goes back into the queue.
 * Whoever was only slow does its job twice, which every job allows.
 */
import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import type { Deps } from '#server/deps.ts';
import { sightWorkers, takeBackJobs } from './jobs.sql.ts';

const BEAT_MS = 5_000;

export interface Liveness {
  /** Given to the queue, which tells here which workers it makes. */
  events: WorkerEvents;
  start(): void;
  stop(): Promise<void>;
}

export function livingWorkers({ db, log }: Pick<Deps, 'db' | 'log'>): Liveness {
  const events: WorkerEvents = new EventEmitter();
  const ids = new Set<string>();
  events.on('worker:create', ({ worker }) => ids.add(worker.workerId));
  events.on('worker:release', ({ worker }) => ids.delete(worker.workerId));

  let beating = Promise.resolve();
  const beat = () => {
    beating = sightWorkers(db, [...ids])
      .then(() => takeBackJobs(db))
      .catch((error: unknown) => log.warn({ err: error }, 'the workers could not be counted'));
  };

  let timer: NodeJS.Timeout | undefined;
  return {
    events,
    start() {
      beat();
      timer = setInterval(beat, BEAT_MS);
    },
    async stop() {
      clearInterval(timer);
      await beating;
    },
  };
}

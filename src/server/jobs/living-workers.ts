/**
 * Which workers are alive. The queue itself waits four hours before it takes a job from a worker that was killed;
 * each is seen every few seconds here, and what a vanished one was doing goes back into the queue.
 * Whoever was only slow does its job twice, which every job allows.
 *
 * The queue locks a job for a whole pool of workers, by the pool's id.
 */
import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import type { Deps } from '#server/deps.ts';
import { sightWorkers, takeBackJobs } from './jobs.sql.ts';

const BEAT_MS = 5_000;

export interface Liveness {
  /** Given to the queue, which tells here which pools it makes. */
  events: WorkerEvents;
  /** The queue is begun anew: what an earlier pool has not written down is lost. */
  forget(): void;
  start(): void;
  stop(): Promise<void>;
}

export function livingWorkers({ db, log }: Pick<Deps, 'db' | 'log'>): Liveness {
  const events: WorkerEvents = new EventEmitter();
  const ids = new Set<string>();
  events.on('pool:create', ({ workerPool }) => {
    ids.add(workerPool.id);
    // Its first job must not count as lost.
    beat();
  });

  let beating = Promise.resolve();
  const beat = () => {
    beating = sightWorkers(db, [...ids])
      .then(() => takeBackJobs(db))
      .catch((error: unknown) => log.warn({ err: error }, 'the workers could not be counted'));
  };

  let timer: NodeJS.Timeout | undefined;
  return {
    events,
    forget: () => ids.clear(),
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

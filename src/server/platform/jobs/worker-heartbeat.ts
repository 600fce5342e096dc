/**
 * Which workers are alive. The queue itself waits four hours before it takes a job from a worker that was killed;
 * each is seen every few seconds here, and what a vanished one was doing goes back into the queue.
 * Whoever was only slow does its job twice, which every job allows.
 *
 * The queue locks a job for a whole pool of workers, by the pool's id. Where a connection breaks in the moment in which a job
 * is given out, the pool holds it and none of its workers knows.
 */
import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import type { Deps } from '#server/platform/deps.ts';
import { jobsLockedBy, releaseJobs, seeWorkers } from './jobs.sql.ts';
import type { QueueTimes } from './queue-times.ts';

type Times = Pick<QueueTimes, 'beatMs' | 'lostAfterSeconds' | 'heardAfterSeconds'>;

export interface Liveness {
  /** Given to the queue, which tells here which pools it makes. */
  events: WorkerEvents;
  /** The queue is begun anew: what an earlier pool has not written down is lost. */
  forget(): void;
  start(): void;
  stop(): Promise<void>;
}

/** `onUnknownJob`: a pool of ours holds a job that no worker does. */
export function workerHeartbeat(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { beatMs, lostAfterSeconds, heardAfterSeconds }: Times,
  onUnknownJob: () => void,
): Liveness {
  const events: WorkerEvents = new EventEmitter();
  const ids = new Set<string>();
  const underWay = new Set<string>();
  let unknownBefore: readonly string[] = [];
  events.on('pool:create', ({ workerPool }) => {
    ids.add(workerPool.id);
    // Its first job must not count as lost.
    beat();
  });

  events.on('job:start', ({ job }) => underWay.add(job.id));
  events.on('job:complete', ({ job }) => underWay.delete(job.id));

  let beating = Promise.resolve();
  const beat = () => {
    beating = look().catch((error: unknown) => log.warn({ err: error }, 'the workers could not be counted'));
  };

  async function look(): Promise<void> {
    await seeWorkers(db, [...ids]);

    await releaseJobs(db, lostAfterSeconds);
    const unknown = (await jobsLockedBy(db, [...ids], heardAfterSeconds)).filter((id) => !underWay.has(id));
    // Seen twice: once, it may be one that is just being written down as done.
    const isHeldByNobody = unknown.some((id) => unknownBefore.includes(id));
    unknownBefore = unknown;
    if (isHeldByNobody) onUnknownJob();
  }

  let timer: NodeJS.Timeout | undefined;
  return {
    events,
    forget() {
      ids.clear();
      underWay.clear();
      unknownBefore = [];
    },
    start() {
      beat();
      timer = setInterval(beat, beatMs);
    },
    async stop() {
      clearInterval(timer);
      await beating;
    },
  };
}

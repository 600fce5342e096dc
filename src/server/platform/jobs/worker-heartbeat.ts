/**
 * Worker heartbeats. Graphile Worker waits four hours before it unlocks the jobs of a killed worker; with a heartbeat every few
 * seconds they return to the queue within seconds. A worker that was only slow runs its job twice, which every job tolerates.
 *
 * The queue locks a job by the id of the whole worker pool. If the connection breaks while a job is assigned, the pool holds the
 * lock but no worker runs the job. And workers may stop asking for jobs, without an error, while the rest of the process works.
 */
import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import type { Deps } from '#server/platform/deps.ts';
import { jobsLockedBy, recordHeartbeats, releaseIdleQueues, releaseLostJobs } from './jobs.sql.ts';
import type { QueueTimes } from './queue-times.ts';

type Times = Pick<QueueTimes, 'heartbeatMs' | 'lostAfterSeconds' | 'startGraceSeconds' | 'silentAfterMs'>;

export interface WorkerHeartbeat {
  /**
   * The events of a new pool, passed to the queue, which emits on them. The pool before it no longer counts: the jobs that it has
   * not completed are lost.
   */
  eventsOfNextPool(): WorkerEvents;
  start(): void;
  stop(): Promise<void>;
}

interface WatchedPool {
  ids: Set<string>;
  runningJobs: Set<string>;
  suspectsBefore: readonly string[];
  askedAt: number;
}

/** @param onStuck called when our pool has locked a job that no worker runs, or when no idle worker asks for jobs */
export function workerHeartbeat(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { heartbeatMs, lostAfterSeconds, startGraceSeconds, silentAfterMs, concurrency }: Times & { concurrency: number },
  onStuck: (reason: string) => void,
): WorkerHeartbeat {
  let watched = newPool();
  let beating = Promise.resolve();
  const beat = () => {
    beating = check(watched).catch((error: unknown) => log.warn({ err: error }, 'the worker heartbeat failed'));
  };

  async function check(pool: WatchedPool): Promise<void> {
    await recordHeartbeats(db, [...pool.ids]);

    await releaseLostJobs(db, lostAfterSeconds);
    await releaseIdleQueues(db);
    const locked = await jobsLockedBy(db, [...pool.ids], startGraceSeconds);
    // Another pool took its place in the meantime.
    if (pool !== watched) return;
    const suspects = locked.filter((id) => !pool.runningJobs.has(id));
    // Only if seen twice: the first time, the job may just be completing.
    const isOrphaned = suspects.some((id) => pool.suspectsBefore.includes(id));
    pool.suspectsBefore = suspects;
    const hasIdleWorker = pool.runningJobs.size < concurrency;
    if (isOrphaned) onStuck('a locked job is not running');
    // The database has answered the heartbeat, so it would answer a worker.
    else if (hasIdleWorker && performance.now() - pool.askedAt > silentAfterMs) onStuck('no idle worker asks for jobs');
  }

  let timer: NodeJS.Timeout | undefined;
  return {
    eventsOfNextPool() {
      const pool = newPool();
      watched = pool;
      return eventsOf(pool, beat);
    },
    start() {
      beat();
      timer = setInterval(beat, heartbeatMs);
    },
    async stop() {
      clearInterval(timer);
      await beating;
    },
  };
}

function newPool(): WatchedPool {
  return { ids: new Set(), runningJobs: new Set(), suspectsBefore: [], askedAt: performance.now() };
}

/** Each pool has its own, so that one that starts or ends late is not mistaken for its successor. */
function eventsOf(pool: WatchedPool, beat: () => void): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  const noteRequest = () => {
    pool.askedAt = performance.now();
  };
  events.on('pool:create', ({ workerPool }) => {
    pool.ids.add(workerPool.id);
    // Record the pool before its first job, which would otherwise count as lost.
    beat();
  });
  events.on('worker:getJob:empty', noteRequest);
  events.on('job:start', ({ job }) => {
    pool.runningJobs.add(job.id);
    noteRequest();
  });
  events.on('job:complete', ({ job }) => {
    pool.runningJobs.delete(job.id);
    noteRequest();
  });
  return events;
}

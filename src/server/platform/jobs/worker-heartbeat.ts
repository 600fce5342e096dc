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
import { jobsLockedBy, recordHeartbeats, releaseLostJobs } from './jobs.sql.ts';
import type { QueueTimes } from './queue-times.ts';

type Times = Pick<QueueTimes, 'heartbeatMs' | 'lostAfterSeconds' | 'startGraceSeconds' | 'silentAfterMs'>;

export interface WorkerHeartbeat {
  /** Passed to the queue, which emits pool and job events on it. */
  events: WorkerEvents;
  /** Called before a restart: jobs that the previous pool has not completed count as lost. */
  reset(): void;
  start(): void;
  stop(): Promise<void>;
}

/** @param onStuck called when our pool has locked a job that no worker runs, or when no worker asks for jobs any more */
export function workerHeartbeat(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { heartbeatMs, lostAfterSeconds, startGraceSeconds, silentAfterMs }: Times,
  onStuck: (reason: string) => void,
): WorkerHeartbeat {
  const events: WorkerEvents = new EventEmitter();
  const ids = new Set<string>();
  const running = new Set<string>();
  let suspectsBefore: readonly string[] = [];
  events.on('pool:create', ({ workerPool }) => {
    ids.add(workerPool.id);
    // Record the pool before its first job, which would otherwise count as lost.
    beat();
  });

  let askedAt = performance.now();
  const noteAnswer = () => {
    askedAt = performance.now();
  };
  events.on('worker:getJob:empty', noteAnswer);
  events.on('job:start', ({ job }) => running.add(job.id));
  events.on('job:complete', ({ job }) => {
    running.delete(job.id);
    noteAnswer();
  });

  let beating = Promise.resolve();
  const beat = () => {
    beating = check().catch((error: unknown) => log.warn({ err: error }, 'the worker heartbeat failed'));
  };

  async function check(): Promise<void> {
    await recordHeartbeats(db, [...ids]);

    await releaseLostJobs(db, lostAfterSeconds);
    const suspects = (await jobsLockedBy(db, [...ids], startGraceSeconds)).filter((id) => !running.has(id));
    // Only if seen twice: the first time, the job may just be completing.
    const isOrphaned = suspects.some((id) => suspectsBefore.includes(id));
    suspectsBefore = suspects;
    if (isOrphaned) onStuck('a locked job is not running');
    // The database has answered the heartbeat, so it would answer a worker.
    else if (running.size === 0 && performance.now() - askedAt > silentAfterMs) onStuck('no worker asks for jobs');
  }

  let timer: NodeJS.Timeout | undefined;
  return {
    events,
    reset() {
      ids.clear();
      running.clear();
      noteAnswer();
      suspectsBefore = [];
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

export interface QueueTimes {
  /** The database notifies workers of new jobs; polling only finds retries. */
  pollMs: number;
  /** Interval of releasing expired reservations and serving the checkout queue. */
  roundMs: number;
  /** Interval of a worker's heartbeat. */
  beatMs: number;
  /** Several heartbeats, so that a worker keeps its job during a short pause. */
  lostAfterSeconds: number;
  /** Grace period for a worker to start a job that the queue assigned to it. */
  heardAfterSeconds: number;
  /** Time for running jobs to finish when the runner shuts down. A slower job runs twice, which every job tolerates. */
  givesUpWithinMs: number;
  /** Pause before the runner is restarted. */
  pauseMs: number;
}

export const QUEUE_TIMES: QueueTimes = {
  pollMs: 1_000,
  roundMs: 1_000,
  beatMs: 5_000,
  lostAfterSeconds: 20,
  heardAfterSeconds: 10,
  givesUpWithinMs: 20_000,
  pauseMs: 500,
};

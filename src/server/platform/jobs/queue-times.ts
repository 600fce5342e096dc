export interface QueueTimes {
  /** The database notifies workers of new jobs; polling only finds retries. */
  pollMs: number;
  /** Interval of releasing expired reservations and serving the checkout queue. */
  roundMs: number;
  /** Interval of a worker's heartbeat. */
  heartbeatMs: number;
  /** Several heartbeats, so that a worker keeps its job during a short pause. */
  lostAfterSeconds: number;
  /** Grace period for a worker to start a job that the queue assigned to it. */
  startGraceSeconds: number;
  /** Workers poll every second, so this long without a question from any of them means that they are stuck. */
  silentAfterMs: number;
  /** Time for running jobs to finish when the runner shuts down. A slower job runs twice, which every job tolerates. */
  shutdownTimeoutMs: number;
  /** Pause before the runner is restarted. */
  pauseMs: number;
}

export const QUEUE_TIMES: QueueTimes = {
  pollMs: 1_000,
  roundMs: 1_000,
  heartbeatMs: 5_000,
  lostAfterSeconds: 20,
  startGraceSeconds: 10,
  silentAfterMs: 30_000,
  shutdownTimeoutMs: 20_000,
  pauseMs: 500,
};

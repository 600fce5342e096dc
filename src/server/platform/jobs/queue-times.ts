export interface QueueTimes {
  /** Emails and notices are announced by the database; this only finds what is tried again. */
  pollMs: number;
  /** Between two looks at reservations that have ended, and at the buyers in line. */
  roundMs: number;
  /** Between two heartbeats of a worker. */
  beatMs: number;
  /** Several beats long, so that a worker in a short pause keeps its job. */
  lostAfterSeconds: number;
  /** Long enough for a worker to hear that a job is its own. */
  heardAfterSeconds: number;
  /** For what is under way when the queue gives up. What takes longer goes on, and is done again beside it, which every job allows. */
  givesUpWithinMs: number;
  /** Before the queue is started again. */
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

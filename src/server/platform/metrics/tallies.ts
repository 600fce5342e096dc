/** What the code counts while it works, in plain numbers: `/metrics` reads them when it is asked. */

export interface BatcherTally {
  waiting: number;
  batches: number;
  requests: number;
  rejected: number;
}

const batchers = new Map<string, BatcherTally>();

/** Batchers with the same name share a tally. */
export function tallyOfBatcher(name: string): BatcherTally {
  const tally = batchers.get(name) ?? { waiting: 0, batches: 0, requests: 0, rejected: 0 };
  batchers.set(name, tally);
  return tally;
}

const shedRequests = { browsing: 0, buying: 0 };

export function tallyShedRequest(priority: keyof typeof shedRequests): void {
  shedRequests[priority] += 1;
}

const failures = new Map<string, number>();

/** Counted from 0: Prometheus doesn't see the first failure of a task that appears with it as an increase. */
export function expectJobs(tasks: readonly string[]): void {
  for (const task of tasks) failures.set(task, failures.get(task) ?? 0);
}

export function tallyJobFailure(task: string): void {
  failures.set(task, (failures.get(task) ?? 0) + 1);
}

export const readTallies = () => ({
  batchers: [...batchers],
  shedRequests: Object.entries(shedRequests),
  jobFailures: [...failures],
});

import { until } from '#tests/support/metrics.ts';
import { query } from '#tests/support/query.ts';
import type { Fault } from './see-alert.ts';

/** Resolves once the server that uses this database has run it. */
export async function runJob(address: string, task: string): Promise<void> {
  await query(address, `select graphile_worker.add_job('${task}')`);
  const waiting = `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
                    where t.identifier = '${task}'`;
  await until(`${task} ran`, async () => (await query(address, waiting)).length === 0);
}

/** The schedule checks every ten minutes by the machine's clock, so it may have found the fault and not yet its cure. */
export const checkedAfterCure = (fault: Fault, address: () => string): Fault => ({
  ...fault,
  async fail() {
    const cure = await fault.fail();
    return async () => {
      await cure();
      await runJob(address(), 'send-check-alerts');
    };
  },
});

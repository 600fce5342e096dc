/** A worker process, started and supervised by the primary process. */
import type { Logger } from 'pino';
import type { Config } from '#server/platform/config.ts';
import { measurements } from '#server/platform/metrics/measurement.ts';
import { assignment, openChannel } from './channel.ts';
import { joinSandbox } from './open-integrations.ts';
import { openResources, type Resources } from './open-resources.ts';
import { serve } from './serve.ts';
import type { Shutdown } from './shutdown.ts';
import { explain } from './start-problem.ts';

/** Migrating a large database may take hours. */
const PREPARATION_TIMEOUT_MS = 24 * 60 * 60 * 1000;

export async function runAsWorker(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  let resources: Resources | null = null;
  const primary = openChannel(process, {
    ping: () => true,
    'clock moved': () => resources?.clock.catchUp(),
    // The primary process adds which worker this is.
    metrics: () => resources?.metrics?.read() ?? [],
  });
  try {
    const { address, sandboxPort, isFirst } = assignment.parse(
      await primary.ask('assignment', { withinMs: PREPARATION_TIMEOUT_MS }),
    );
    resources = await openResources(config, { address, log, shutdown });
    const sandbox = sandboxPort === null ? null : await joinSandbox(config, resources, sandboxPort);
    await serve(resources, {
      sandbox,
      isFirst,
      collectMetrics: async () => measurements.parse(await primary.ask('all metrics')),
    });
    await primary.ask('serving', { withinMs: PREPARATION_TIMEOUT_MS });
  } catch (error) {
    const { message, code } = explain(error);
    // The primary process prints it once for all workers.
    await primary.ask('failed', { given: { message, code } }).catch(() => {});
    await shutdown.run();
    process.exit(code);
  }
}

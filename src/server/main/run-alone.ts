/** Runs the product in a single process. */
import type { Logger } from 'pino';
import type { Config } from '#server/platform/config.ts';
import { runSandbox } from './open-integrations.ts';
import { measurementsOf, openResources } from './open-resources.ts';
import { prepareDatabase } from './prepare-database.ts';
import { serve } from './serve.ts';
import type { Shutdown } from './shutdown.ts';

export async function runAlone(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  const database = await prepareDatabase(config, log, shutdown);
  const resources = await openResources(config, { address: database, log, shutdown });
  const sandbox = config.stripe ? null : await runSandbox(config, resources, shutdown);
  await serve(resources, {
    sandbox,
    isFirst: true,
    collectMetrics: () => measurementsOf(resources, '1'),
  });
}

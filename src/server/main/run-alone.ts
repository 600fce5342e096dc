/** One process that does everything. */
import type { Logger } from 'pino';
import type { Config } from '#server/platform/config.ts';
import { runSandbox } from './open-integrations.ts';
import { openResources, samplesOf } from './open-resources.ts';
import { prepareDatabase } from './prepare-database.ts';
import { serve } from './serve.ts';
import type { Shutdown } from './shutdown.ts';

export async function runAlone(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  const address = await prepareDatabase(config, log, shutdown);
  const ground = await openResources(config, { address, log, shutdown });
  const sandbox = config.stripe ? null : await runSandbox(config, ground, shutdown);
  await serve(ground, { sandbox, isFirst: true, gather: async () => samplesOf(ground, { process: '1' }) });
}

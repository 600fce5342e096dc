/** One of several processes that serve, started and looked after by the first. */
import type { Logger } from 'pino';
import type { Config } from '#server/platform/config.ts';
import { assignment, measurements, openChannel } from './channel.ts';
import { joinSandbox } from './open-integrations.ts';
import { openResources, type Resources, samplesOf } from './open-resources.ts';
import { serve } from './serve.ts';
import type { Shutdown } from './shutdown.ts';
import { explain } from './start-problem.ts';

/** A large database may take its time to be migrated, by whoever does it. */
const UNTIL_PREPARED_MS = 24 * 60 * 60 * 1000;

export async function runAsWorker(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  let ground: Resources | null = null;
  const first = openChannel(process, {
    'are you there': () => true,
    'the clock moved': () => ground?.clock.catchUp(),
    measured: () => (ground ? samplesOf(ground, {}) : []),
  });
  try {
    const { address, sandboxPort, isFirst } = assignment.parse(
      await first.ask('what to do', { withinMs: UNTIL_PREPARED_MS }),
    );
    ground = await openResources(config, { address, log, shutdown });
    const sandbox = sandboxPort === null ? null : await joinSandbox(config, ground, sandboxPort);
    await serve(ground, {
      sandbox,
      isFirst,
      gather: async () => measurements.parse(await first.ask('measured by all')),
    });
    await first.ask('serving', { withinMs: UNTIL_PREPARED_MS });
  } catch (error) {
    const { words, code } = explain(error);
    // The first process says it, once for all.
    await first.ask('failed', { given: { words, code } }).catch(() => {});
    await shutdown.run();
    process.exit(code);
  }
}

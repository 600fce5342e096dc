/** The app as it is served, with every guard, rate limit, header and job. */
import { serve } from '#server/main/serve.ts';
import { freePort } from '#tests/support/free-port.ts';
import type { Part } from './children.ts';
import { constantAnswers } from './constant-answers.ts';
import { openBenchSetup, type SetupSettings } from './setup.ts';

export interface AppSettings extends SetupSettings {
  sandboxPort: number;
}

export async function start({ connectionString, settings, sandboxPort }: AppSettings): Promise<Part<string>> {
  const port = await freePort();
  const setup = await openBenchSetup({ connectionString, settings: { PORT: String(port), ...settings } });
  // In place of the sandbox's hosted pages: no benchmark pays by hand.
  await serve(setup, {
    sandbox: { apiPort: sandboxPort, pages: constantAnswers },
    isFirst: false,
    collectMetrics: async () => [],
  });
  return { ready: `http://127.0.0.1:${port}`, stop: () => setup.shutdown.run() };
}

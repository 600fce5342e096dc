/** The application as it is served: every guard, limit, header and job of the product. */
import { serve } from '#server/main/serve.ts';
import { freePort } from '#tests/support/free-port.ts';
import type { Part } from './children.ts';
import { constantAnswers } from './constant-answers.ts';
import { type GroundSettings, openBenchGround } from './ground.ts';

export interface AppSettings extends GroundSettings {
  sandboxPort: number;
}

export async function start({ connectionString, settings, sandboxPort }: AppSettings): Promise<Part<string>> {
  const port = await freePort();
  const ground = await openBenchGround({ connectionString, settings: { PORT: String(port), ...settings } });
  // Where the sandbox's hosted pages would be: nobody pays by hand here.
  await serve(ground, {
    sandbox: { apiPort: sandboxPort, pages: constantAnswers },
    isFirst: false,
    gather: async () => [],
  });
  return { ready: `http://127.0.0.1:${port}`, stop: () => ground.shutdown.run() };
}

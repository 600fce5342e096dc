/** The application as it is served: every guard, limit, header and job of the product, in a process of its own. */
import { serve } from '#server/start/serve.ts';
import { freePort } from '#tests/support/free-port.ts';
import { given, standBy } from './children.ts';
import { constantAnswers } from './constant-answers.ts';
import { type GroundSettings, openBenchGround } from './ground.ts';

export interface AppSettings extends GroundSettings {
  sandboxPort: number;
}

const { connectionString, settings, sandboxPort } = given<AppSettings>();
const port = await freePort();
const ground = await openBenchGround({ connectionString, settings: { PORT: String(port), ...settings } });
// Where the sandbox's hosted pages would be: nobody pays by hand here.
await serve(ground, {
  sandbox: { apiPort: sandboxPort, pages: constantAnswers },
  isFirst: false,
  gather: async () => [],
});

standBy(`http://127.0.0.1:${port}`, () => ground.shutdown.run());

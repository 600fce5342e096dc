/** The outside world, in a process of its own: it is not part of what is measured, but for the cores it needs. */
import { runSandbox } from '#server/start/open-outside-world.ts';
import { freePort } from '#tests/support/free-port.ts';
import { given, standBy } from './children.ts';
import { type GroundSettings, openBenchGround } from './ground.ts';

const { connectionString, settings } = given<GroundSettings>();
const SANDBOX_PORT = String(await freePort());
const ground = await openBenchGround({ connectionString, settings: { ...settings, SANDBOX_PORT } });
const { apiPort } = await runSandbox(ground.config, ground, ground.shutdown);

standBy({ apiPort }, () => ground.shutdown.run());

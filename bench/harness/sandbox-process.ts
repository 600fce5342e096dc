/** The sandbox. It is not part of what is measured, but for the cores it needs. */
import { runSandbox } from '#server/main/open-integrations.ts';
import { freePort } from '#tests/support/free-port.ts';
import type { Part } from './children.ts';
import { type GroundSettings, openBenchGround } from './ground.ts';

export async function start({ connectionString, settings }: GroundSettings): Promise<Part<{ apiPort: number }>> {
  const SANDBOX_PORT = String(await freePort());
  const ground = await openBenchGround({ connectionString, settings: { ...settings, SANDBOX_PORT } });
  const { apiPort } = await runSandbox(ground.config, ground, ground.shutdown);
  return { ready: { apiPort }, stop: () => ground.shutdown.run() };
}

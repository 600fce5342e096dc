/** The sandbox. Not part of what is measured, except for the CPU it uses. */
import { runSandbox } from '#server/main/open-integrations.ts';
import { freePort } from '#tests/support/free-port.ts';
import type { Part } from './children.ts';
import { openBenchSetup, type SetupSettings } from './setup.ts';

export async function start({ connectionString, settings }: SetupSettings): Promise<Part<{ apiPort: number }>> {
  const SANDBOX_PORT = String(await freePort());
  const setup = await openBenchSetup({ connectionString, settings: { ...settings, SANDBOX_PORT } });
  const { apiPort } = await runSandbox(setup.config, setup, setup.shutdown);
  return { ready: { apiPort }, stop: () => setup.shutdown.run() };
}

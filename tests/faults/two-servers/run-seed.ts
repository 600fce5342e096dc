/** One seed: two servers, a crowd, a series of faults, recovery, and the final check. */
import { checkEndState } from '../histories/check-end-state.ts';
import { SeededRandom } from '../histories/seeded-random.ts';
import { operationMismatches } from './check-operations.ts';
import { type Fault, faults } from './faults.ts';
import type { Operation } from './http-client.ts';
import { gatherCrowd, startLoad } from './load.ts';
import { openTwoServers } from './open-two-servers.ts';
import { pause } from './pause.ts';

export interface Seed {
  seed: number;
  faultsEach: number;
  only?: readonly string[] | undefined;
}

export interface SeedResult {
  errors: string[];
  tally: Record<string, number>;
  operations: readonly Operation[];
}

const AROUND_MS = 600;

/** Shuffled like a deck, so that all faults occur equally often. */
function faultsOf({ seed, faultsEach, only }: Seed): Fault[] {
  if (only) return faults.filter(({ name }) => only.includes(name));
  const deck = new SeededRandom(Math.floor((seed * faultsEach) / faults.length)).shuffled(faults);
  return Array.from({ length: faultsEach }, (_, index) => {
    const dealt = deck[(seed * faultsEach + index) % deck.length];
    if (!dealt) throw new Error('no faults are defined');
    return dealt;
  });
}

export async function runSeed(options: Seed): Promise<SeedResult> {
  const random = new SeededRandom(options.seed);
  const stage = await openTwoServers();
  try {
    const crowd = await gatherCrowd(stage, random.fork(1));
    const failures: string[] = [];
    for (const fault of faultsOf(options)) {
      crowd.timeline.push(`== ${fault.name}, from operation #${crowd.operations.length + 1}`);
      const begun = performance.now();
      const load = startLoad(crowd);
      await pause(AROUND_MS);
      try {
        failures.push(...(await fault.run(crowd, random)).map((problem) => `${fault.name}: ${problem}`));
        await pause(AROUND_MS);
      } catch (error) {
        failures.push(`${fault.name}: ${error instanceof Error ? error.stack : String(error)}`);
      }
      await load.stop();
      await stage.bringBack();
      crowd.timeline.push(`${fault.name} took ${Math.round(performance.now() - begun)} ms`);
    }
    const found = await checkEndState(stage, crowd.histories, crowd.timeline, () => operationMismatches(crowd));
    const errors = [...failures, ...found];
    if (errors.length > 0 && found.length === 0) errors.push(...crowd.timeline);
    if (errors.length > 0) errors.push(...outputOf(stage.servers));
    return { errors, tally: tallyOf(crowd.operations), operations: crowd.operations };
  } finally {
    await stage.close();
  }
}

const outputOf = (servers: readonly { output(): string }[]) =>
  servers.map((server, index) => `output of server ${index}:\n${server.output().slice(-6000)}`);

function tallyOf(operations: readonly { what: string; is: string }[]): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const { what, is } of operations) tally[`${what} ${is}`] = (tally[`${what} ${is}`] ?? 0) + 1;
  return tally;
}

/** The seeds of a full run, in two sequential halves. Each half has its own PostgreSQL to restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, teardown } from '#tests/support/test-database.ts';
import { runSeed } from './run-seed.ts';

const PARTS = 2;
const FAULTS_EACH = 2;
const TIMEOUT_MS = 600_000;

export function describeTwoServers(part: number): void {
  const wanted = Number(process.env['FAULTS_SEEDS'] ?? 20);
  const firstSeed = Number(process.env['FAULTS_SEED'] ?? 1);
  const only = process.env['FAULTS_FAULT']?.split(',').filter(Boolean);
  const seeds = Array.from({ length: wanted }, (_, index) => firstSeed + index);
  const mine = seeds.filter((_seed, index) => index % PARTS === part);

  // A file without tests counts as failed.
  if (mine.length === 0) mine.push(firstSeed);

  describe('two servers on one database', () => {
    beforeAll(() => startPostgres({ durable: true }));
    afterAll(() => teardown());

    it.each(mine)(
      'keep the money correct under faults: seed %i',
      async (seed) => {
        const { errors } = await runSeed({
          seed,
          faultsEach: FAULTS_EACH,
          ...(only?.length ? { only } : {}),
        });

        const half = `two-servers-${part + 1}`;
        expect(errors, `repeat: npm run faults -- --part=${half} --seeds=1 --seed=${seed}`).toEqual([]);
      },
      TIMEOUT_MS,
    );
  });
}

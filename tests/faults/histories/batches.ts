/** The thousands of histories of a full run, in batches that share an app, split over files that run in parallel. */
import { describe, expect, it } from 'vitest';
import { runBatch } from './run-histories.ts';

/** Histories per app. */
const IN_A_BATCH = Number(process.env['FAULTS_BATCH'] ?? 50);
const PARTS = 2;
const TIMEOUT_MS = 900_000;
/** A batch in which nothing happens proves nothing. */
const CAME_ABOUT = [
  'orders paid',
  'orders expired',
  'orders with a promo code',
  'tickets scanned',
  'refunds sent',
  'payouts paid',
  'offline scans first',
  'offline scans double',
];

export function describeHistories(part: number): void {
  const wanted = Number(process.env['FAULTS_HISTORIES'] ?? 100);
  const firstSeed = Number(process.env['FAULTS_SEED'] ?? 1);
  const only = process.env['FAULTS_ONLY'] ? process.env['FAULTS_ONLY'].split(',').map(Number) : undefined;
  const batches = Array.from({ length: Math.ceil(wanted / IN_A_BATCH) }, (_, batch) => firstSeed + batch);

  const mine = batches.filter((_seed, batch) => batch % PARTS === part);
  if (mine.length === 0) mine.push(firstSeed + part);

  describe('random histories', () => {
    it.each(mine)(
      `${IN_A_BATCH} histories of seed %i keep the money correct`,
      async (seed) => {
        const { errors, tally } = await runBatch({ seed, histories: IN_A_BATCH, only });

        expect(errors, `repeat: npm run faults -- --part=histories-1 --histories=${IN_A_BATCH} --seed=${seed}`).toEqual(
          [],
        );
        if (IN_A_BATCH >= 50 && !only) for (const what of CAME_ABOUT) expect(tally).toHaveProperty([what]);
      },
      TIMEOUT_MS,
    );
  });
}

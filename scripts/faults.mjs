/**
 * `npm run faults`: fails every outgoing call, kills the server at every step, runs thousands of random histories and
 * checks the books after each, and runs two servers against machine faults.
 *
 * Narrow it down with `-- --histories=N --seeds=N --seed=N --only=0,7 --fault='a server is killed' --part=histories`
 * (docs/faults.md).
 */
import { readOptions, runLongTests } from './long-tests.mjs';

const { histories, seeds, seed, only, fault, part } = readOptions({
  histories: '2000',
  seeds: '20',
  seed: '20261121',
  only: '',
  fault: '',
  part: '',
});

await runLongTests({
  config: 'tests/faults/vitest.faults.config.ts',
  part,
  env: {
    FAULTS_HISTORIES: histories,
    FAULTS_SEEDS: seeds,
    FAULTS_SEED: seed,
    FAULTS_ONLY: only,
    FAULTS_FAULT: fault,
  },
  title: `seed ${seed}, ${histories} histories, ${seeds} seeds of two servers`,
});

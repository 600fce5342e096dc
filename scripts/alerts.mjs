/**
 * `npm run alerts`: a real Prometheus with the rules in deploy/prometheus, in another time scale, before real servers and a real standby. Each
 * rule fires under a real fault and clears after the cure. Takes a quarter of an hour.
 *
 * Option: `-- --part=processes`, `database` or `business`.
 */

import { existsSync } from 'node:fs';
import { readOptions, runLongTests } from './long-tests.mjs';
import { giveUp, run } from './run.mjs';

const { part } = readOptions({ part: '' });

if (!(await run('prometheus', ['--version'])).succeeded)
  giveUp('Prometheus is missing. On Debian: apt install prometheus');
if ('database'.includes(part) && !existsSync('/usr/lib/postgresql'))
  giveUp('PostgreSQL is missing. On Debian: apt install postgresql');

await runLongTests({
  config: 'tests/alerts/vitest.alerts.config.ts',
  part,
  env: {},
  title: 'Alerts under real faults',
});

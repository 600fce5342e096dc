/**
 * `npm run restore:drill`: backs up a database while buyers buy, restores it to a chosen second, and starts the product on it. Needs
 * Debian's PostgreSQL 15 and pgBackRest.
 *
 * Options: `-- --tickets=N --buyers=N` (tickets that were sold before, and buyers a second).
 */
import { readOptions, runLongTests } from './long-tests.mjs';
import { giveUp, run } from './run.mjs';

const { tickets, buyers } = readOptions({ tickets: '10000', buyers: '5' });

const { succeeded } = await run('pgbackrest', ['version']);
if (!succeeded) giveUp('pgBackRest is missing. On Debian: apt install pgbackrest postgresql-15');

await runLongTests({
  config: 'tests/backup/vitest.drill.config.ts',
  env: { DRILL_TICKETS: tickets, DRILL_BUYERS: buyers },
  title: `A restore of ${tickets} tickets, ${buyers} buyers a second`,
});

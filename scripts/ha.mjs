/**
 * `npm run ha`: two servers behind HAProxy, with the configurations in deploy/, while buyers buy. `rolling-restart` restarts the
 * servers, on one PostgreSQL. `fail-over` breaks the machines of their database, under Patroni; it needs root, and takes a quarter of an hour.
 *
 * Options: `-- --part=fail-over --fault=TEXT,TEXT --rounds=N --buyers=N` (only faults whose name contains one of the texts, restarts of each
 * server, and buyers a second).
 */

import { ensureInstalled } from './install.mjs';
import { readOptions, runLongTests } from './long-tests.mjs';
import { giveUp, run } from './run.mjs';

const { part, fault, rounds, buyers } = readOptions({ part: '', fault: '', rounds: '10', buyers: '20' });

const { succeeded } = await run('haproxy', ['-v']);
if (!succeeded) giveUp('HAProxy is missing. On Debian: apt install haproxy');

const breaksMachines = 'fail-over'.includes(part);
const database = breaksMachines ? `PostgreSQL under Patroni ${await patroniVersion()}` : 'one PostgreSQL';
if (breaksMachines) {
  if (process.getuid?.() !== 0)
    giveUp('Nodes with a network of their own need root. Without: npm run ha -- --part=rolling-restart');
  if (!(await run('etcd', ['--version'])).succeeded) giveUp('etcd is missing. On Debian: apt install etcd-server');
}

await runLongTests({
  config: 'tests/ha/vitest.ha.config.ts',
  part,
  env: { HA_ROUNDS: rounds, HA_BUYERS: buyers, HA_FAULT: fault },
  title: `${buyers} buyers a second, ${database}`,
});

/** Asked on the pinned Node, which reads TypeScript. */
async function patroniVersion() {
  const question = `
    const { findPatroni } = await import('#tests/ha/cluster/patroni-program.ts');
    try { console.log(findPatroni().version); } catch (error) { console.log(error.message); process.exitCode = 1; }`;
  const { succeeded, output } = await run(await ensureInstalled(), ['--input-type=module', '--eval', question]);
  if (!succeeded) giveUp(output);
  return output;
}

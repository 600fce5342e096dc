/**
 * `npm run journeys -- --servers=3 photos checkout`: the browser journeys whose file has one of these names in its path, or all of them,
 * on several servers that share a database and a bucket but no disk. `-- --servers=1` is one server, as in `npm test`.
 */
import { ensureInstalled } from './install.mjs';
import { giveUp, run, withPackages } from './run.mjs';

const options = process.argv.slice(2);
const names = options.filter((option) => !option.startsWith('--'));
const [count = '--servers=3', ...others] = options.filter((option) => option.startsWith('--'));
const servers = /^--servers=([1-9])$/.exec(count)?.[1];
if (servers === undefined || others.length > 0) giveUp('The only option is --servers, from 1 to 9.');

await ensureInstalled();
const { succeeded } = await run('playwright', ['test', ...names], {
  show: true,
  env: withPackages({ SERVERS: servers }),
});
process.exitCode = succeeded ? 0 : 1;

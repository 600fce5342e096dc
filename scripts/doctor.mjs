/**
 * `npm run doctor`: checks the books, the database and the configuration, on the Node version that runs the server.
 * `-- --install` says what is missing before the installation can take real money.
 */
import { ensureInstalled } from './install.mjs';
import { run } from './run.mjs';

const node = await ensureInstalled();
const { succeeded } = await run(node, ['scripts/run-checks.mjs', ...process.argv.slice(2)], { show: true });
process.exitCode = succeeded ? 0 : 1;

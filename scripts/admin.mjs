/** `npm run admin -- grant EMAIL`, or `revoke`, `log-out`, `forget-factors` or `backup-done`, on the Node version that runs the server. */
import { ensureInstalled } from './install.mjs';
import { run } from './run.mjs';

const node = await ensureInstalled();
const { succeeded } = await run(node, ['scripts/appoint-admin.mjs', ...process.argv.slice(2)], { show: true });
process.exitCode = succeeded ? 0 : 1;

/** `npm run backup:verify`: restores the newest backup next to the running database and checks it, on the Node version that runs the server. */
import { ensureInstalled } from './install.mjs';
import { run } from './run.mjs';

const node = await ensureInstalled();
const { succeeded } = await run(node, ['scripts/verify-backup.mjs', ...process.argv.slice(2)], { show: true });
process.exitCode = succeeded ? 0 : 1;

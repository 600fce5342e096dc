/** `npm run photos:copy`: copies photos and the log of erasures from `DATA_DIR` to the bucket, on the Node version that runs the server. */
import { ensureInstalled } from './install.mjs';
import { run } from './run.mjs';

const node = await ensureInstalled();
const { succeeded } = await run(node, ['scripts/copy-photos.mjs', ...process.argv.slice(2)], { show: true });
process.exitCode = succeeded ? 0 : 1;

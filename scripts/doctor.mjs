/** `npm run doctor`: is the money where it belongs, and can the product work? On the Node that runs the product. */
import { ensureInstalled } from './install.mjs';
import { run } from './run.mjs';

const node = await ensureInstalled();
const { succeeded } = await run(node, ['scripts/examine.mjs'], { show: true });
process.exitCode = succeeded ? 0 : 1;

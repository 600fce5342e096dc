/** `npm run bench [-- name ...]`: how fast it is beside what could be hoped for (docs/performance.md, bench/README.md). */
import { ensureInstalled } from './install.mjs';
import { giveUp, run } from './run.mjs';
import { buildWebIfChanged } from './web-build.mjs';

// Standard output is for the figures alone, so that they can be piped on.
console.log = console.error;

const node = await ensureInstalled();
// The event's page is measured as it is served: with the built web.
const build = await buildWebIfChanged();
if (!build.succeeded) giveUp(build.said);
const { succeeded } = await run(node, ['bench/harness/main.ts', ...process.argv.slice(2)], { show: true });
process.exitCode = succeeded ? 0 : 1;

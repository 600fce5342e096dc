/** `npm run bench [-- name ...]`: runs the benchmarks (docs/performance.md, bench/README.md). */
import { ensureInstalled } from './install.mjs';
import { giveUp, run } from './run.mjs';
import { buildWebIfChanged } from './web-build.mjs';

// Keeps standard output for the results, so that they can be piped.
console.log = console.error;

const node = await ensureInstalled();
// The event page is measured as it is served, with the built web pages.
const build = await buildWebIfChanged();
if (!build.succeeded) giveUp(build.output);
const { succeeded } = await run(node, ['bench/harness/main.ts', ...process.argv.slice(2)], { show: true });
process.exitCode = succeeded ? 0 : 1;

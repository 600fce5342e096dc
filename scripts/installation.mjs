/**
 * `npm run installation`: installs the product from nothing in a fresh Debian, and as a container, as docs/running.md says. As root, on
 * Debian, with debootstrap, buildah and PostgreSQL. Takes ten minutes.
 *
 * Options: `-- --part=debian` or `-- --part=container`.
 */

import { readOptions, runLongTests } from './long-tests.mjs';
import { giveUp, run } from './run.mjs';

const { part } = readOptions({ part: '' });

if (process.getuid() !== 0) giveUp('Run this as root: it makes a file system of its own.');
for (const [program, option] of [
  ['debootstrap', '--version'],
  ['buildah', '--version'],
  ['unshare', '--version'],
]) {
  const { succeeded } = await run(program, [option]);
  if (!succeeded) giveUp(`${program} is missing. On Debian: apt install debootstrap buildah postgresql`);
}

await runLongTests({
  config: 'tests/installation/vitest.installation.config.ts',
  part,
  env: {},
  title: 'Installing from nothing',
});

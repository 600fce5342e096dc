/**
 * `npm run upgrade:rehearse`: rolls two servers behind HAProxy from the previous release to this one, back, and forward
 * again while people use them. Needs HAProxy and git.
 *
 * Options: `-- --from=REF --buyers=N` (by default the newest tagged release, and 5 buyers a second).
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled, npmCommand } from './install.mjs';
import { readOptions, runLongTests } from './long-tests.mjs';
import { giveUp, root, run, withPackages } from './run.mjs';

const { from, buyers } = readOptions({ from: '', buyers: '5' });

await ensureInstalled();
const haproxy = await run('haproxy', ['-v']);
if (!haproxy.succeeded) giveUp('HAProxy is missing. On Debian: apt install haproxy');

const release = from || (await newestRelease());
const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-previous-release-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await unpack();

await runLongTests({
  config: 'tests/upgrade/vitest.upgrade.config.ts',
  env: { UPGRADE_FROM: folder, UPGRADE_BUYERS: buyers },
  title: `from ${release} to this release and back, ${buyers} buyers a second`,
});

/** Without a tag on this commit itself: a release is rehearsed before and after it is tagged. */
async function newestRelease() {
  const { succeeded, output } = await run('git', ['describe', '--tags', '--abbrev=0', '--match=v[0-9]*', 'HEAD~1']);
  return succeeded ? output : giveUp('No release is tagged. Name a commit: npm run upgrade:rehearse -- --from=REF');
}

async function unpack() {
  console.log(`Unpacking and building ${release}`);
  const archive = path.join(folder, 'release.tar');
  await orGiveUp(run('git', ['archive', `--output=${archive}`, release]));
  await orGiveUp(run('tar', ['-xf', archive, '-C', folder]));
  const lockOf = (place) => readFileSync(path.join(place, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(root)) symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  else {
    const [program, args] = npmCommand('ci', '--include=dev', '--no-audit', '--no-fund');
    await orGiveUp(run(program, args, { cwd: folder }));
  }
  const build =
    "import { buildWeb } from './scripts/web-build.mjs'; const { succeeded, output } = await buildWeb(); if (!succeeded) throw new Error(output);";
  await orGiveUp(run(process.execPath, ['--input-type=module', '--eval', build], { cwd: folder, env: withPackages() }));
}

async function orGiveUp(running) {
  const { succeeded, output } = await running;
  if (!succeeded) giveUp(output);
}

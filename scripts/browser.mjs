/** Finds a Chromium for the journeys: an installed one, then Playwright's download, then Debian's package. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { giveUp, root, run, withPackages } from './run.mjs';

const INSTALLED = [
  'chromium',
  'google-chrome-stable',
  'google-chrome',
  'chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const DEBIAN_PACKAGES = ['chromium', 'chromium-headless-shell', 'fonts-liberation'];
/** Older ones remember a failed module until the page reloads: docs/decisions/0035. */
const MODULE_RETRY_SINCE = 156;

/** Path of the first installed Chromium that starts, or undefined. */
export async function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (await runs(named)) return named;
    return giveUp(`CHROMIUM_PATH is ${named}, which doesn't start. Fix or unset it.`);
  }
  for (const candidate of INSTALLED) {
    const file = candidate.startsWith('/') ? candidate : inPath(candidate);
    if (file && (await runs(file))) return file;
  }
  const downloaded = await playwrightDownload();
  return downloaded && (await runs(downloaded)) ? downloaded : undefined;
}

/** False in a browser that can't load a module again after a failure. */
export async function retriesModules(file) {
  const { output } = await run(file, ['--version']);
  return !(Number(/ (\d+)\./.exec(output)?.[1]) < MODULE_RETRY_SINCE);
}

export async function ensureBrowser() {
  const present = await findBrowser();
  if (present) {
    if (process.env.CHROMIUM_PATH || (await retriesModules(present))) return present;
    console.log(`${present} is older than Chromium ${MODULE_RETRY_SINCE}.`);
    return (await fromDebian()) ?? present;
  }

  console.log("No Chromium or Chrome found. Trying Playwright's download.");
  const download = await run('playwright', ['install', 'chromium'], {
    env: withPackages({ PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' }),
  });
  const downloaded = await findBrowser();
  if (downloaded) return downloaded;
  console.log(
    download.succeeded
      ? 'The downloaded browser needs system libraries that are missing here.'
      : 'The download failed.',
  );

  const packaged = await fromDebian();
  if (packaged) return packaged;
  return giveUp(
    'The journeys need a browser. Install Chromium or Chrome ' +
      `(on Debian, as root: apt-get install -y ${DEBIAN_PACKAGES.join(' ')}), or set CHROMIUM_PATH. Then run the same command again.`,
  );
}

async function fromDebian() {
  if (process.getuid() !== 0 || !inPath('apt-get')) return undefined;
  console.log(`Installing the Debian packages ${DEBIAN_PACKAGES.join(' and ')}.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const update = await run('apt-get', ['update', '-q'], { env });
  const install = await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...DEBIAN_PACKAGES], { env });
  if (!install.succeeded)
    console.error([update.succeeded ? '' : update.output, install.output].filter(Boolean).join('\n'));
  return findBrowser();
}

async function playwrightDownload() {
  if (!existsSync(path.join(root, 'node_modules', '@playwright', 'test'))) return undefined;
  const { chromium } = await import('@playwright/test');
  const file = chromium.executablePath();
  return existsSync(file) ? file : undefined;
}

// Ubuntu's chromium-browser is a stub that only points to snap, so finding the file is not enough.
const runs = async (file) => (await run(file, ['--version'])).succeeded;

const inPath = (name) =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((directory) => path.join(directory, name))
    .find((file) => existsSync(file));

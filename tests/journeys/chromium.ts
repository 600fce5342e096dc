import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';

const full = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
/**
 * The headless shell is the same engine without windows and saves a quarter of the CPU time, so it is preferred where
 * installed, whatever CHROMIUM_PATH is. An empty HEADLESS_SHELL_PATH runs all journeys in CHROMIUM_PATH.
 */
const shell = process.env.HEADLESS_SHELL_PATH ?? '/usr/bin/chromium-headless-shell';

/** No background traffic; runs as root and without a screen. */
const quiet = {
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // Tests send nothing outside this machine; map tiles stay blank.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  ],
};

const withWindows = { ...quiet, ...(existsSync(full) && { executablePath: full }) };

const launchOptions = existsSync(shell) ? { ...quiet, executablePath: shell } : withWindows;

/**
 * Launches a separate browser, because cameras are fixed when a browser starts.
 * @param remembersCamera uses the full browser: the shell does not remember the chosen camera
 */
export function launchPhone(camera: string[], { remembersCamera = false } = {}): Promise<Browser> {
  const options = remembersCamera ? withWindows : launchOptions;
  return chromium.launch({ ...options, args: [...options.args, ...camera] });
}

/**
 * The full browser. In private windows, which all contexts are, it blocks cookies and storage of frames from other sites, as
 * Safari does everywhere; the shell doesn't.
 */
export const launchBlockingThirdParties = (): Promise<Browser> => chromium.launch(withWindows);

/** Ends an action that hangs. */
export const ACTION_TIMEOUT_MS = 30_000;

export const inChromium = { locale: 'en-US', timezoneId: 'America/New_York', launchOptions };

import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';

const full = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
/**
 * The same engine without a browser's windows: journeys take a quarter less of the processor in it, so it is used where it is
 * installed, whatever CHROMIUM_PATH names. With an empty HEADLESS_SHELL_PATH all journeys run in CHROMIUM_PATH.
 */
const shell = process.env.HEADLESS_SHELL_PATH ?? '/usr/bin/chromium-headless-shell';

/** A quiet browser: it asks nobody for updates, and runs as root and without a screen. */
const quiet = {
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // Nothing of a test leaves this machine; map tiles stay blank.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  ],
};

const withWindows = { ...quiet, ...(existsSync(full) && { executablePath: full }) };

const launchOptions = existsSync(shell) ? { ...quiet, executablePath: shell } : withWindows;

/**
 * A phone of its own: which cameras there are, a browser learns when it starts.
 * @param remembers which camera was chosen, as the shell does not
 */
export function launchPhone(camera: string[], { remembers = false } = {}): Promise<Browser> {
  const options = remembers ? withWindows : launchOptions;
  return chromium.launch({ ...options, args: [...options.args, ...camera] });
}

export const inChromium = { locale: 'en-US', timezoneId: 'America/New_York', launchOptions };

import { existsSync } from 'node:fs';

const installed = process.env.CHROMIUM_PATH || '/usr/bin/chromium';

/** A quiet browser: it asks nobody for updates, and runs as root and without a screen. */
export const launchOptions = {
  ...(existsSync(installed) && { executablePath: installed }),
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

export const inChromium = { locale: 'en-US', timezoneId: 'America/New_York', launchOptions };

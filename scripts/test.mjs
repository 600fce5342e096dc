/** `npm test`: installs what the tests need, then runs every gate. */
import { ensureBrowser } from './browser.mjs';
import { ensureInstalled } from './install.mjs';

await ensureInstalled();
process.env.CHROMIUM_PATH = await ensureBrowser();
await import('./check.mjs');

import { defineConfig } from '@playwright/test';
import { ACTION_TIMEOUT_MS, inChromium } from './tests/journeys/chromium.ts';

/** Journeys: the running app in a real browser. Which browser: tests/journeys/chromium.ts. */
export default defineConfig({
  testDir: 'tests/journeys',
  globalSetup: './tests/journeys/global-setup.ts',
  // Each worker starts its own server.
  workers: 2,
  // These end what hangs, on the slowest machine too: they judge no speed.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    ...inChromium,
    actionTimeout: ACTION_TIMEOUT_MS,
    navigationTimeout: ACTION_TIMEOUT_MS,
    screenshot: 'only-on-failure',
  },
});

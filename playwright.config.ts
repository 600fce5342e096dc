import { defineConfig } from '@playwright/test';
import { inChromium } from './tests/journeys/chromium.ts';

/** Journeys: the running app in a real browser. Which browser: tests/journeys/chromium.ts. */
export default defineConfig({
  testDir: 'tests/journeys',
  globalSetup: './tests/journeys/global-setup.ts',
  // Each worker starts its own server.
  workers: 2,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  outputDir: 'test-results',
  use: { ...inChromium, screenshot: 'only-on-failure' },
});

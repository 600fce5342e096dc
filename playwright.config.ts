import { defineConfig } from '@playwright/test';
import { inChromium } from './tests/journeys/chromium.ts';

/** Each journey starts the product for itself, by tests/support/product.ts, on the web pages that `npm run build` made. */
export default defineConfig({
  testDir: 'tests/journeys',
  globalSetup: './tests/journeys/build-web.ts',
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  outputDir: 'test-results',
  use: { ...inChromium, trace: 'retain-on-failure', screenshot: 'only-on-failure' },
});

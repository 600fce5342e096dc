import { defineConfig } from '@playwright/test';
import { inChromium } from '../journeys/chromium.ts';

/** `npm run screenshots`: every screen from sign-up to check-in, wide and narrow, light and dark. */
export default defineConfig({
  testDir: '.',
  globalSetup: '../journeys/global-setup.ts',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  outputDir: '../../test-results/screenshots',
  use: { ...inChromium },
});

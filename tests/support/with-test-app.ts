import { afterAll, afterEach, beforeAll } from 'vitest';
import { clearFaults } from './money.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

/** One app for the tests of a file or a part of it. Clears faults after each test. */
export function withTestApp(take: (app: TestApp) => void, options: TestAppOptions = {}): void {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(options);
    take(app);
  });
  afterEach(() => clearFaults(app));
  afterAll(() => app.close());
}

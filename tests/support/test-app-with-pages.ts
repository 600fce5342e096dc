import { join } from 'node:path';
import { buildWeb } from '#tests/journeys/build-web.ts';
import { startTestApp, type TestApp } from './test-app.ts';

export const WEB_ROOT = join(import.meta.dirname, '../../dist/web');

/** An app that serves its pages, built from the current sources. */
export async function startTestAppWithPages(): Promise<TestApp> {
  await buildWeb();
  return startTestApp({ webRoot: WEB_ROOT });
}

import { join } from 'node:path';
import { buildWeb } from '#tests/journeys/build-web.ts';
import { startTestApp, type TestApp } from './test-app.ts';

export const WEB_ROOT = join(import.meta.dirname, '../../dist/web');

/** For a hook that builds the pages, or waits for another file's build of them. */
export const BUILD_PATIENCE_MS = 120_000;

/** An app that answers with its pages, built from the sources as they are. */
export async function startTestAppWithPages(): Promise<TestApp> {
  await buildWeb();
  return startTestApp({ webRoot: WEB_ROOT });
}

import { join } from 'node:path';
import { buildWeb } from '#tests/journeys/build-web.ts';
import { openWorld, type World } from './world.ts';

export const WEB_ROOT = join(import.meta.dirname, '../../dist/web');

/** For a hook that builds the pages, or waits for another file's build of them. */
export const BUILD_PATIENCE_MS = 120_000;

/** A world that answers with its pages, built from the sources as they are. */
export async function openWorldWithPages(): Promise<World> {
  await buildWeb();
  return openWorld({ webRoot: WEB_ROOT });
}

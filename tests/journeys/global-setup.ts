/** Builds the pages and starts PostgreSQL with a migrated template database; stops it after the last journey. */
import { setup, teardown } from '#tests/support/test-database.ts';
import { buildWeb } from './build-web.ts';

export default async function globalSetup(): Promise<() => Promise<void>> {
  await Promise.all([buildWeb(), setup()]);
  return teardown;
}

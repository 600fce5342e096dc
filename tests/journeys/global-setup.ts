/** Before the first journey: the pages are built, and PostgreSQL runs with a migrated database to copy. After the last it ends. */
import { setup, teardown } from '#tests/support/test-database.ts';
import { buildWeb } from './build-web.ts';

export default async function prepare(): Promise<() => Promise<void>> {
  await Promise.all([buildWeb(), setup()]);
  return teardown;
}

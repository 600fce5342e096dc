/** Which release last changed the schema, and which ones it still serves: an earlier release may run next to a newer one. */
import type pg from 'pg';
import { type Migration, numberOf } from './migration-files.ts';

export interface Release {
  version: string;
  /** The number of its newest migration. It orders commits of one version. */
  schema: number;
}

/** Nothing older was released with this schema. */
const FIRST = '0.2.0';

export const releaseOf = (version: string, migrations: readonly Migration[]): Release => ({
  version,
  schema: numberOf(migrations.at(-1)?.name ?? '0'),
});

export async function createReleaseTable(client: pg.PoolClient): Promise<void> {
  await client.query(`
    create table if not exists schema_release (
      is_the_only_row boolean primary key default true check (is_the_only_row),
      version text not null, schema integer not null, oldest_version text not null)`);
}

/** The newer release that made the schema, and the oldest one that it serves. Null if `own` is the newest. */
export async function newerRelease(client: pg.PoolClient, own: Release) {
  const { rows } = await client.query<Release & { oldest: string }>(
    'select version, schema, oldest_version as oldest from schema_release',
  );
  const [found] = rows;
  if (!found) return null;
  const order = compareVersions(found.version, own.version) || found.schema - own.schema;
  return order > 0 ? found : null;
}

export async function recordRelease(
  client: pg.PoolClient,
  own: Release,
  migrations: readonly Migration[],
): Promise<void> {
  const oldest = migrations
    .flatMap(({ contractSince }) => contractSince ?? [])
    .reduce((newest, since) => (compareVersions(since, newest) > 0 ? since : newest), FIRST);
  await client.query(
    `insert into schema_release (version, schema, oldest_version) values ($1, $2, $3)
         on conflict (is_the_only_row)
         do update set version = excluded.version, schema = excluded.schema, oldest_version = excluded.oldest_version`,
    [own.version, own.schema, oldest],
  );
}

/** Of versions such as `0.2.0`. */
export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [one, other].map((version) => version.split('.').map((part) => Number.parseInt(part, 10)));
  return (
    [0, 1, 2].map((index) => (ours?.[index] ?? 0) - (theirs?.[index] ?? 0)).find((difference) => difference !== 0) ?? 0
  );
}

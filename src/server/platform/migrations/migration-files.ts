/** The numbered migrations, and what each says in its head: docs/upgrades.md. */
import { readdir, readFile } from 'node:fs/promises';

/** Numbers up to this one are from before the rules. */
const LAST_BEFORE_RULES = 82;

export interface Migration {
  /** Such as `0083-orders.sql`. */
  name: string;
  text: string;
  followsRules: boolean;
  /** One statement that needs no transaction and takes its time, such as `create index concurrently`. */
  runsAlone: boolean;
  /** It removes what only releases before this one need. */
  contractSince: string | null;
}

export const numberOf = (name: string): number => Number(name.slice(0, 4));

export async function migrationNames(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

export async function readMigrations(folder: URL): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames(folder)).map(async (name) =>
      parseMigration(name, await readFile(new URL(name, folder), 'utf8')),
    ),
  );
}

export function parseMigration(name: string, text: string): Migration {
  const [, contractSince = null] = /^-- Contract since (\d+\.\d+\.\d+):/m.exec(text) ?? [];
  return {
    name,
    text,
    followsRules: numberOf(name) > LAST_BEFORE_RULES,
    runsAlone: /^-- Outside a transaction\b/m.test(text),
    contractSince,
  };
}

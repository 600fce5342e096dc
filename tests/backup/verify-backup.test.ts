/** A backup of a real database, whole and broken, where pgBackRest is installed. */
import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, renameSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lastBackupCheck } from '#server/backoffice/doctor/checks.sql.ts';
import { readFigures } from '#server/backoffice/watch/watch.sql.ts';
import { openDatabase, openPool } from '#server/platform/database.ts';
import { migrate } from '#server/platform/migrate.ts';
import { query } from '#tests/support/query.ts';
import { installed, openArchivedDatabase, PROGRAMS } from './archived-database.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('npm run backup:verify', () => {
  it("has the steps that the operator's guide explains [OPS-11]", () => {
    const script = readFileSync(path.join(root, 'scripts/verify-backup.mjs'), 'utf8');
    const guide = readFileSync(path.join(root, 'docs/running.md'), 'utf8');
    const [, section = ''] = guide.split('### Check the backups');
    const [table = ''] = section.split('\n\n### ');
    const steps = [...script.matchAll(/\bstep(?:Later)?\('(\w+)'/g)].map(([, name]) => name);

    expect(steps.length).toBeGreaterThan(5);
    expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(steps);
  });

  it.each(installed)('passes a good backup, and names the step at which a broken one fails: %s [OPS-11]', async () => {
    const archived = await openArchivedDatabase();
    const pool = openPool(archived.connectionString, () => {});
    const db = openDatabase(pool);
    /** The exit code, the step, and what the metrics say. */
    const verified = async (...options: string[]) => {
      const { exitCode, output } = await verify(archived, options);
      const step = /The backup is broken: (\w+)/.exec(output)?.[1];
      const { failedStep } = (await lastBackupCheck(db)) ?? {};
      if ((step ?? null) !== failedStep) throw new Error(output);
      return { exitCode, failedStep, isAlert: (await readFigures(db)).backupCheckFailed > 0, output };
    };
    try {
      await migrate(pool);
      archived.pgbackrest('backup', '--type=full');
      await query(archived.connectionString, 'create table changed_since (id integer)');
      await archived.untilArchived();
      expect(await verified()).toMatchObject({ exitCode: 0, failedStep: null, isAlert: false });

      // A later release made it.
      await query(archived.connectionString, "insert into schema_migrations values ('9999-later.sql')");
      await archived.untilArchived();
      expect(await verified()).toMatchObject({ exitCode: 1, failedStep: 'schema', isAlert: true });
      await query(archived.connectionString, "delete from schema_migrations where name = '9999-later.sql'");
      await archived.untilArchived();
      expect(await verified()).toMatchObject({ exitCode: 0, isAlert: false });

      const file = largest(path.join(archived.repository, 'backup'));
      copyFileSync(file, `${archived.folder}/kept`);
      truncateSync(file, 100);
      expect(await verified()).toMatchObject({ exitCode: 1, failedStep: 'repository', isAlert: true });
      copyFileSync(`${archived.folder}/kept`, file);

      const wal = filesIn(path.join(archived.repository, 'archive')).filter((name) => /\/[0-9A-F]{24}-/.test(name));
      for (const name of wal) renameSync(name, path.join(archived.folder, path.basename(name)));
      expect(await verified()).toMatchObject({ exitCode: 1, isAlert: true });
      for (const name of wal) renameSync(path.join(archived.folder, path.basename(name)), name);
      expect(await verified()).toMatchObject({ exitCode: 0, failedStep: null, isAlert: false });
    } finally {
      await pool.end();
      await archived.close();
    }
  });
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Has more than the bytes that stay of it. */
function largest(folder: string): string {
  const [file] = filesIn(folder).filter((name) => /pg_data\/base\/.*\.zst$/.test(name));
  if (!file) throw new Error('the backup has no file');
  return file;
}

function verify(
  { configPath, connectionString }: { configPath: string; connectionString: string },
  options: readonly string[],
): Promise<{ exitCode: number; output: string }> {
  const args = [
    'scripts/backup-verify.mjs',
    `--config-path=${configPath}`,
    `--pg-bin=${PROGRAMS}`,
    '--archived-after-seconds=0',
    ...options,
  ];
  const env = { ...process.env, DATABASE_URL: connectionString };
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, output: `${stdout}${stderr}` }),
    ),
  );
}

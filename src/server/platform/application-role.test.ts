import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate as migrateSandbox } from '#sandbox/database.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { APPLICATION_ROLE, grantApplicationRole } from './application-role.sql.ts';
import { openPool, type Pool } from './database.ts';
import { migrate } from './migrate.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

const errorCodeOf = (statement: Promise<unknown>) =>
  statement.then(
    () => 'done',
    (error: unknown) => (error instanceof pg.DatabaseError ? error.code : error),
  );

describe('application role', () => {
  let database: TestDatabase;
  let owner: Pool;
  let application: Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    owner = openPool(database.connectionString, () => {});
    application = openPool(database.connectionString, () => {}, APPLICATION_ROLE);
    // With the triggers off, only the role's privileges protect the rows.
    for (const table of ['ledger_entries', 'operator_actions', 'audit_events'])
      await owner.query(`alter table ${table} disable trigger all`);
  });
  afterAll(async () => {
    await application.end();
    await owner.end();
    await database.drop();
  });

  it('is active on every connection from the first statement, even after a reset', async () => {
    const { rows } = await application.query('select current_user as role');
    await application.query('reset role');

    expect(rows).toEqual([{ role: APPLICATION_ROLE }]);
    expect((await application.query('select current_user as role')).rows).toEqual(rows);
  });

  it.each([
    'update ledger_entries set cents = 1',
    'delete from ledger_entries',
    'truncate ledger_entries',
    'select 1 from ledger_entries for update',
    'alter table ledger_entries enable trigger all',
    "update operator_actions set note = ''",
    'delete from operator_actions',
    'truncate operator_actions',
    "update audit_events set action = ''",
    'delete from audit_events',
    'truncate audit_events',
    'delete from erasures',
    'drop table ledger_entries',
    'alter table users add column spare text',
    'create index spare on users (email)',
    'create function spare() returns int language sql as $$ select 1 $$',
    'drop trigger ledger_append_only on ledger_entries',
    'alter table audit_events disable trigger all',
    'create schema spare',
    "set session_replication_role = 'replica'",
    'delete from schema_migrations',
    'delete from schema_functions',
    'create table spare (id int)',
  ])('cannot run: %s', async (statement) => {
    expect(await errorCodeOf(application.query(statement))).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it('can insert into the ledger', async () => {
    const added = await application.query(
      `insert into ledger_entries (event_id, transaction_id, account, cents, kind, subject_id, created_at)
       values ('an event', $1, 'processor', 100, 'sale', $1, now())`,
      [randomUUID()],
    );

    expect(added.rowCount).toBe(1);
  });
});

describe('application role in a database whose user is not a superuser', () => {
  let database: TestDatabase;
  let superuser: Pool;
  const user = `u${randomUUID().replaceAll('-', '')}`;
  let connectionString: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    superuser = openPool(database.connectionString, () => {});
    // The way an operator provisions it: empty, and owned by the user.
    await superuser.query(`create role ${user} login`);
    await superuser.query(`create database ${user} owner ${user}`);
    const url = new URL(database.connectionString);
    url.username = user;
    url.pathname = `/${user}`;
    connectionString = url.href;
  });
  afterAll(async () => {
    await superuser.query(`drop database ${user} with (force)`);
    await superuser.query(`drop role ${user}`);
    await superuser.end();
    await database.drop();
  });

  it('stays unused until a superuser grants it, then serves every connection', async () => {
    const owner = openPool(connectionString, () => {});
    await migrate(owner);
    await migrateSandbox(owner);

    const before = await grantApplicationRole(owner);
    await superuser.query(`grant ${APPLICATION_ROLE} to ${user}`);
    const after = [await grantApplicationRole(owner), await grantApplicationRole(owner)];
    const application = openPool(`${connectionString}&options=-c%20work_mem%3D5MB`, () => {}, APPLICATION_ROLE);
    const { rows } = await application.query(
      "select current_user as role, current_setting('work_mem') as work_mem, id from graphile_worker.add_job('test-job')",
    );
    const jobs = await application.query('select id from graphile_worker._private_jobs');
    const changed = await errorCodeOf(application.query('update ledger_entries set cents = 1'));
    const objects = await application.query('select count(*)::int as n from sandbox.objects');
    await application.end();
    await owner.end();

    expect(before).toBeNull();
    expect(after).toEqual([APPLICATION_ROLE, APPLICATION_ROLE]);
    expect(rows).toMatchObject([{ role: APPLICATION_ROLE, work_mem: '5MB' }]);
    expect(jobs.rows).toEqual([{ id: rows[0].id }]);
    expect(changed).toBe(INSUFFICIENT_PRIVILEGE);
    expect(objects.rows).toEqual([{ n: 0 }]);
  });
});

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate as migrateSandbox } from '#sandbox/database.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { APPLICATION_ROLE, grantApplicationRole } from './application-role.sql.ts';
import { openPool, type Pool } from './database.ts';
import { migrate } from './migrate.ts';

const NO_RIGHT = '42501';

const codeOf = (statement: Promise<unknown>) =>
  statement.then(
    () => 'done',
    (error: unknown) => (error instanceof pg.DatabaseError ? error.code : error),
  );

describe('the role that serves requests', () => {
  let database: TestDatabase;
  let owner: Pool;
  let application: Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    owner = openPool(database.connectionString, () => {});
    application = openPool(database.connectionString, () => {}, APPLICATION_ROLE);
    // Out of the way: what is proved is the right, not the trigger.
    for (const table of ['ledger_entries', 'operator_actions', 'audit_entries'])
      await owner.query(`alter table ${table} disable trigger all`);
  });
  afterAll(async () => {
    await application.end();
    await owner.end();
    await database.drop();
  });

  it('is every connection from its first statement on, and stays it', async () => {
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
    "update audit_entries set act = ''",
    'delete from audit_entries',
    'truncate audit_entries',
    'delete from erasures',
    'drop table ledger_entries',
    'alter table users add column spare text',
    'create index spare on users (email)',
    'create function spare() returns int language sql as $$ select 1 $$',
    'drop trigger ledger_append_only on ledger_entries',
    'alter table audit_entries disable trigger all',
    'create schema spare',
    "set session_replication_role = 'replica'",
    'delete from schema_migrations',
    'delete from schema_functions',
    'create table spare (id int)',
  ])('may not: %s', async (statement) => {
    expect(await codeOf(application.query(statement))).toBe(NO_RIGHT);
  });

  it('adds to the ledger', async () => {
    const added = await application.query(
      `insert into ledger_entries (event_id, transaction_id, account, cents, kind, subject_id, created_at)
       values ('an event', $1, 'processor', 100, 'sale', $1, now())`,
      [randomUUID()],
    );

    expect(added.rowCount).toBe(1);
  });
});

describe('a database whose user is nobody special', () => {
  let database: TestDatabase;
  let superuser: Pool;
  const user = `u${randomUUID().replaceAll('-', '')}`;
  let address: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    superuser = openPool(database.connectionString, () => {});
    // As an operator would hand it over: empty, and the user's own.
    await superuser.query(`create role ${user} login`);
    await superuser.query(`create database ${user} owner ${user}`);
    const url = new URL(database.connectionString);
    url.username = user;
    url.pathname = `/${user}`;
    address = url.href;
  });
  afterAll(async () => {
    await superuser.query(`drop database ${user} with (force)`);
    await superuser.query(`drop role ${user}`);
    await superuser.end();
    await database.drop();
  });

  it('is served by its user alone until the role is granted, and by the role from then on', async () => {
    const owner = openPool(address, () => {});
    await migrate(owner);
    await migrateSandbox(owner);

    const before = await grantApplicationRole(owner);
    await superuser.query(`grant ${APPLICATION_ROLE} to ${user}`);
    const after = [await grantApplicationRole(owner), await grantApplicationRole(owner)];
    const application = openPool(`${address}&options=-c%20work_mem%3D5MB`, () => {}, APPLICATION_ROLE);
    const { rows } = await application.query(
      "select current_user as role, current_setting('work_mem') as work_mem, id from graphile_worker.add_job('look')",
    );
    const jobs = await application.query('select id from graphile_worker._private_jobs');
    const changed = await codeOf(application.query('update ledger_entries set cents = 1'));
    const objects = await application.query('select count(*)::int as n from sandbox.objects');
    await application.end();
    await owner.end();

    expect(before).toBeNull();
    expect(after).toEqual([APPLICATION_ROLE, APPLICATION_ROLE]);
    expect(rows).toMatchObject([{ role: APPLICATION_ROLE, work_mem: '5MB' }]);
    expect(jobs.rows).toEqual([{ id: rows[0].id }]);
    expect(changed).toBe(NO_RIGHT);
    expect(objects.rows).toEqual([{ n: 0 }]);
  });
});

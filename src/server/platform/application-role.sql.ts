/**
 * The database role that serves requests. It can insert into append-only tables (the ledger, operator actions) but not
 * update or delete their rows, even if the triggers that guard them are gone.
 *
 * The role cannot log in: the owner's connections assume it when they open (`openPool`).
 */
import pg from 'pg';
import { advisoryLocks } from './locks.ts';

export const APPLICATION_ROLE = 'handstamp_app';

const SCHEMAS = "(current_schema(), 'graphile_worker', 'sandbox')";
const APPEND_ONLY = "('ledger_entries', 'operator_actions', 'audit_events', 'erasures')";
const READ_ONLY = "('schema_migrations', 'schema_functions', 'schema_release')";
/** In a shared database, the role gets no rights to other applications' tables. */
const OWNED_TABLES = "from pg_class c join pg_namespace n on n.oid = relnamespace where pg_has_role(relowner, 'usage')";

/**
 * Grants the role access to every current table. Runs at each start, after the migrations.
 *
 * @param ownsSchema false next to a newer release, whose grants stay
 * @returns the role, or `null` if the database user can neither create nor assume it
 */
export async function grantApplicationRole(
  pool: pg.Pool,
  { ownsSchema }: { ownsSchema: boolean } = { ownsSchema: true },
): Promise<string | null> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    // Concurrent grants update the same catalog rows and fail.
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.roleGrants]);
    const isAvailable = (await canAssumeRole(client)) || ((await createRole(client)) && (await canAssumeRole(client)));
    if (isAvailable && ownsSchema) await grantAll(client);
    await client.query('commit');
    return isAvailable ? APPLICATION_ROLE : null;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const canAssumeRole = (client: pg.PoolClient) => succeeds(client, `set local role ${APPLICATION_ROLE}; reset role`);

async function createRole(client: pg.PoolClient): Promise<boolean> {
  await succeeds(client, `create role ${APPLICATION_ROLE} nologin`);
  // Since PostgreSQL 16, the creator of a role must grant it to itself to assume it.
  return succeeds(client, `grant ${APPLICATION_ROLE} to current_user`);
}

/** Insufficient privilege, missing role, or a role created concurrently by a server of another database. */
const EXPECTED_ERRORS = new Set(['42501', '22023', '42704', '42710', '23505', '0LP01']);

async function succeeds(client: pg.PoolClient, statement: string): Promise<boolean> {
  await client.query('savepoint attempt');
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && EXPECTED_ERRORS.has(error.code ?? ''))) throw error;
    await client.query('rollback to savepoint attempt');
    return false;
  }
}

async function grantAll(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ statements: string | null }>(`
    select string_agg(statement, '; ') as statements from (
      select format('grant usage on schema %I to ${APPLICATION_ROLE}', nspname) as statement
        from pg_namespace where nspname in ${SCHEMAS}
      union all
      select format('revoke all on %1$s from ${APPLICATION_ROLE}; grant %2$s on %1$s to ${APPLICATION_ROLE}', c.oid::regclass,
               case when nspname <> current_schema() then 'select, insert, update, delete'
                    when relname in ${APPEND_ONLY} then 'select, insert'
                    when relname in ${READ_ONLY} then 'select'
                    else 'select, insert, update, delete' end)
        ${OWNED_TABLES} and nspname in ${SCHEMAS} and relkind in ('r', 'p', 'v')
      union all
      select format('grant usage on sequence %s to ${APPLICATION_ROLE}', c.oid::regclass)
        ${OWNED_TABLES} and nspname in ${SCHEMAS} and relkind = 'S'
      union all
      -- Graphile Worker's row-level security hides its rows from other roles unless a policy allows them.
      select format('create policy application on %s to ${APPLICATION_ROLE} using (true) with check (true)', c.oid::regclass)
        ${OWNED_TABLES} and nspname = 'graphile_worker' and relrowsecurity
         and not exists (select 1 from pg_policy where polrelid = c.oid and polname = 'application')
    ) as grants`);
  if (rows[0]?.statements) await client.query(rows[0].statements);
}

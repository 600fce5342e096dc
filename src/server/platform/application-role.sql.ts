/**
 * The role that serves requests: it reads and writes what the product needs, and what is only ever added to
 * (the ledger, the operator's actions) it can neither change nor remove, whatever the triggers say.
 *
 * It cannot log in. The owner's connections take it on as they are opened (`openPool`).
 */
import pg from 'pg';

export const APPLICATION_ROLE = 'handstamp_app';

/** Any fixed number: it names the lock that only granting takes. */
const GRANT_LOCK = 20_261_122;

const SCHEMAS = "(current_schema(), 'graphile_worker', 'sandbox')";
const ADD_ONLY = "('ledger_entries', 'operator_actions', 'audit_entries', 'erasures')";
const READ_ONLY = "('schema_migrations', 'schema_functions')";
/** In a database that holds more than the product, the rest stays out of the role's reach. */
const OURS = "from pg_class c join pg_namespace n on n.oid = relnamespace where pg_has_role(relowner, 'usage')";

/**
 * Lets the role use everything that is there now: called after all migrations, at each start.
 *
 * @returns the role, or `null` where the database's user may not make it or become it
 */
export async function grantApplicationRole(pool: pg.Pool): Promise<string | null> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    // Two servers that grant at once would change the same catalogue rows.
    await client.query('select pg_advisory_xact_lock($1)', [GRANT_LOCK]);
    const isUsable = (await canBecome(client)) || ((await makeRole(client)) && (await canBecome(client)));
    if (isUsable) await grantAll(client);
    await client.query('commit');
    return isUsable ? APPLICATION_ROLE : null;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const canBecome = (client: pg.PoolClient) => succeeds(client, `set local role ${APPLICATION_ROLE}; reset role`);

async function makeRole(client: pg.PoolClient): Promise<boolean> {
  await succeeds(client, `create role ${APPLICATION_ROLE} nologin`);
  // Whoever makes a role may grant it, and from PostgreSQL 16 on has to, to become it. A superuser needs neither.
  return succeeds(client, `grant ${APPLICATION_ROLE} to current_user`);
}

/** No right to it, no such role (yet), or made by another database's server at this moment. */
const EXPECTED = new Set(['42501', '22023', '42704', '42710', '23505', '0LP01']);

async function succeeds(client: pg.PoolClient, statement: string): Promise<boolean> {
  await client.query('savepoint attempt');
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && EXPECTED.has(error.code ?? ''))) throw error;
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
                    when relname in ${ADD_ONLY} then 'select, insert'
                    when relname in ${READ_ONLY} then 'select'
                    else 'select, insert, update, delete' end)
        ${OURS} and nspname in ${SCHEMAS} and relkind in ('r', 'p', 'v')
      union all
      select format('grant usage on sequence %s to ${APPLICATION_ROLE}', c.oid::regclass)
        ${OURS} and nspname in ${SCHEMAS} and relkind = 'S'
      union all
      -- The queue shows its rows to their owner alone, unless a policy says otherwise.
      select format('create policy application on %s to ${APPLICATION_ROLE} using (true) with check (true)', c.oid::regclass)
        ${OURS} and nspname = 'graphile_worker' and relrowsecurity
         and not exists (select 1 from pg_policy where polrelid = c.oid and polname = 'application')
    ) as needed`);
  if (rows[0]?.statements) await client.query(rows[0].statements);
}

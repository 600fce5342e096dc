/** Access to PostgreSQL: pools, typed queries, transactions that are retried after a deadlock, and error classes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from './schema.ts';
import { asCall } from './tracing/spans.ts';

/** A database or a transaction; queries accept both. */
export type Db = Kysely<Schema>;

export type Pool = pg.Pool;

const BIGINT = 20;
const DATE = 1082;

const DEFAULT_POOL_SIZE = 10;

/** After that long, a server is slow, frozen or unreachable: the connection is given up. */
const ANSWER_MS = 15_000;
const KEEP_ALIVE_AFTER_MS = 5_000;

/**
 * The server must not cancel a statement: a commit that waits for the synchronous standby would be confirmed, and shown to everyone,
 * while only the primary has it. Instead it ends the statements of connections that were given up.
 */
const ENDS_WITH_ITS_CONNECTION = ['statement_timeout=0', 'client_connection_check_interval=5s'];

/**
 * The pool of a serving process. A connection whose statement takes too long is given up, instead of letting a sale queue up behind it.
 *
 * @param role the role that every connection assumes; by default the user of the connection string
 * @param size maximum number of connections; further requests wait for a free one
 */
export function openPool(
  connectionString: string,
  onError: (error: Error) => void,
  role: string | null = null,
  size = DEFAULT_POOL_SIZE,
): pg.Pool {
  const settings = role === null ? ENDS_WITH_ITS_CONNECTION : [...ENDS_WITH_ITS_CONNECTION, `role=${role}`];
  return poolOf(
    { connectionString: withSettings(connectionString, settings), max: size, query_timeout: ANSWER_MS },
    onError,
  );
}

/** Connections without a limit of the client: migrations lift the limit of the server. */
export function openOwnerPool(connectionString: string, onError: (error: Error) => void): pg.Pool {
  return poolOf({ connectionString, statement_timeout: ANSWER_MS }, onError);
}

/** A read-only connection without a statement timeout, for reports over all data. */
export function openReadOnlyPool(connectionString: string, onError: (error: Error) => void): pg.Pool {
  const settings = ['default_transaction_read_only=on', 'statement_timeout=0'];
  return poolOf({ connectionString: withSettings(connectionString, settings), max: 1 }, onError);
}

function poolOf(overrides: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(BIGINT, Number);
  types.setTypeParser(DATE, (date) => date);

  const pool = new pg.Pool({
    Client: ProductClient,
    types,
    // A host that crashed closes no connection. Without a delay of our own, the system asks it after two hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    // Applies twice to a row: once to become its next waiter, once to get the lock.
    lock_timeout: 3_000,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    ...overrides,
  });
  // Without a listener, a dropped idle connection would crash the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

const PREPARED_MARK = /^\/\* prepared (\w+) \*\//;

/**
 * Prepares statements marked with a `prepared` comment (they run hundreds of times a second during a sale), and retries a
 * single statement outside a transaction after a serialization failure or deadlock.
 */
class ProductClient extends pg.Client {
  override query(...[statement, ...rest]: unknown[]): never {
    const name = typeof statement === 'string' ? PREPARED_MARK.exec(statement)?.[1] : undefined;
    const send = () =>
      Reflect.apply(super.query, this, [name === undefined ? statement : { name, text: statement }, ...rest]) as never;
    const text = typeof statement === 'string' ? statement : '';
    const sendTraced = () =>
      asCall(verbOf(text), { 'db.system.name': 'postgresql', 'db.query.text': text }, async () => send());
    const isAutocommit =
      typeof statement === 'string' && !BEGINS_TRANSACTION.test(statement) && this.getTransactionStatus() === 'I';
    // Calls with a callback come from the pool or the job queue, which handle their own errors.
    if (typeof rest.at(-1) === 'function') return send();
    return (isAutocommit ? retryOnConflict(sendTraced) : sendTraced()).catch((error: unknown) => {
      if (isLostPrimary(error)) void this.end().catch(() => {});
      throw error;
    }) as never;
  }
}

/** `select`, `update`: what a list of spans shows. */
const verbOf = (statement: string) => /^\s*(?:\/\*.*?\*\/\s*)?(\w+)/.exec(statement)?.[1]?.toLowerCase() ?? 'statement';

const BEGINS_TRANSACTION = /^\s*(?:begin|start)\b/i;

/**
 * Sent with the startup packet, so every connection has the settings and `reset role` returns to the role. They go into the
 * connection string because its `options` parameter overrides the pool's.
 */
function withSettings(connectionString: string, settings: readonly string[]): string {
  const [base = '', query = ''] = connectionString.split('?');
  const parameters = new URLSearchParams(query);
  const options = settings.map((setting) => `-c ${setting}`).join(' ');
  parameters.set('options', `${parameters.get('options') ?? ''} ${options}`.trim());
  return `${base}?${parameters.toString()}`;
}

export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
}

const CONFLICT_CODES = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 5;
const BACKOFF_STEP_MS = 20;

/** Runs `work` in a transaction and retries all of it after a deadlock. Within a transaction, `work` is a part of that one. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  return retryOnConflict(() => db.transaction().execute(work));
}

/** Retries with a jittered backoff after a deadlock or serialization failure. */
async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isConflict(error)) throw error;
      await sleep(Math.random() * BACKOFF_STEP_MS * attempt);
    }
  }
}

const isConflict = (error: unknown) => CONFLICT_CODES.has(sqlStateOf(error) ?? '');

/** The SQLSTATE of a failed statement, such as `23505` for a unique violation. */
function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** A row can't be deleted, because another one refers to it. */
export const isReferredTo = (error: unknown): boolean => sqlStateOf(error) === '23503';

/** The connection leads to a server that became a standby, or no longer answers. The pool opens another one. */
const isLostPrimary = (error: unknown) => sqlStateOf(error) === READ_ONLY || isAnswerTimeout(error);

const READ_ONLY = '25006';

const isAnswerTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';

const TOO_BUSY_CODES = new Set(['55P03', '57014', '53300']);

/** PostgreSQL is reachable but too slow: a lock timeout, a statement timeout, or no free connection. */
export function isTooBusy(error: unknown): boolean {
  return isPoolTimeout(error) || TOO_BUSY_CODES.has(sqlStateOf(error) ?? '');
}

/** A temporary condition rather than a bug: the caller may retry in a moment. */
export function isUnavailable(error: unknown): boolean {
  return isTooBusy(error) || isConnectionError(error) || isConflict(error) || isOutOfResources(error);
}

/** PostgreSQL's disk or memory is full, or its disk fails. It runs on, and reads what it can. */
const isOutOfResources = (error: unknown) => /^(?:53...|58030)$/.test(sqlStateOf(error) ?? '');

/** No connection was available, or it broke. The statement may have run, so it must not simply be sent again. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isPoolTimeout(error) || isLostPrimary(error) || CONNECTION_MESSAGES.test(error.message)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error instanceof pg.DatabaseError) return CONNECTION_CODES.test(code);
  return 'syscall' in error && (error.syscall === 'connect' || SOCKET_CODES.has(code));
}

/** The server is shutting down, starting or unreachable, or it ended a transaction that was idle for too long. */
const CONNECTION_CODES = /^(?:08...|57P0[1-5]|25P03|53300)$/;
const SOCKET_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** The driver's own errors carry no code. */
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|Client (?:was closed|has encountered a connection error)|Cannot use a pool after calling end)/;

/** The pool had no free connection within the timeout. */
function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

/** Memoizes one instance per database, created on first use. The product has one database, a test run many. */
export function perDatabase<T>(create: (db: Db) => T): (db: Db) => T {
  const instances = new WeakMap<Db, T>();
  return (db) => {
    const known = instances.get(db);
    if (known !== undefined) return known;
    const instance = create(db);
    instances.set(db, instance);
    return instance;
  };
}

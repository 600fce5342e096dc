/** The one door to PostgreSQL: a pool, typed queries, and transactions that survive a deadlock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from './schema.ts';

/** A database or a transaction in it: queries take either. */
export type Db = Kysely<Schema>;

export type Pool = pg.Pool;

const BIGINT = 20;
const DATE = 1082;

const CONNECTIONS = 10;

/**
 * A web process' pool. No statement may hold a row for long: a slow query during a sale is refused
 * rather than letting everyone wait behind it.
 *
 * @param most so many connections; whoever finds them all taken waits for one
 * @param role what every connection works as, before its first statement; without it, the address' own user
 */
export function openPool(
  connectionString: string,
  onError: (error: Error) => void,
  role: string | null = null,
  most = CONNECTIONS,
): pg.Pool {
  const address = role === null ? connectionString : withSettings(connectionString, [`role=${role}`]);
  return poolOf({ connectionString: address, max: most, statement_timeout: 15_000 }, onError);
}

/** For questions about all there is, which take as long as they take, and change nothing. */
export function openReadingPool(connectionString: string, onError: (error: Error) => void): pg.Pool {
  const settings = ['default_transaction_read_only=on', 'statement_timeout=0'];
  return poolOf({ connectionString: withSettings(connectionString, settings), max: 1 }, onError);
}

function poolOf(own: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(BIGINT, Number);
  types.setTypeParser(DATE, (date) => date);

  const pool = new pg.Pool({
    Client: ProductClient,
    types,
    // A host that vanishes closes no connection.
    keepAlive: true,
    // For each of two waits: to be the next for a row, and for the row.
    lock_timeout: 3_000,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    ...own,
  });
  // A dropped idle connection is replaced by the pool; without a listener it would end the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

const PREPARED = /^\/\* prepared (\w+) \*\//;

/**
 * Parses once a connection what begins with such a comment: statements that a rush sends hundreds of times a second. And does a
 * statement again that stood alone and was undone.
 */
class ProductClient extends pg.Client {
  override query(...[statement, ...rest]: unknown[]): never {
    const name = typeof statement === 'string' ? PREPARED.exec(statement)?.[1] : undefined;
    const send = () =>
      Reflect.apply(super.query, this, [name === undefined ? statement : { name, text: statement }, ...rest]) as never;
    const standsAlone = typeof statement === 'string' && !BEGINS.test(statement) && this.getTransactionStatus() === 'I';
    // With a callback it is the pool's own business, or the queue's.
    if (!standsAlone || typeof rest.at(-1) === 'function') return send();
    return unlessInConflict(send) as never;
  }
}

const BEGINS = /^\s*(?:begin|start)\b/i;

/**
 * They travel with the connection's start, so there is no connection without them, and `reset role` comes back to the role.
 * In the address itself: an `options` that stands there would win over one beside it.
 */
function withSettings(connectionString: string, settings: readonly string[]): string {
  const [address = '', query = ''] = connectionString.split('?');
  const parameters = new URLSearchParams(query);
  const own = settings.map((setting) => `-c ${setting}`).join(' ');
  parameters.set('options', `${parameters.get('options') ?? ''} ${own}`.trim());
  return `${address}?${parameters.toString()}`;
}

export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
}

const TRANSIENT = new Set(['40001', '40P01']);
const TRANSACTION_ATTEMPTS = 5;
const LONGEST_PAUSE_MS = 20;

/** Runs `work` in one transaction; repeats it whole when PostgreSQL ended it to resolve a deadlock. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return unlessInConflict(() => db.transaction().execute(work));
}

/** Does again what was undone because two transactions met; after pauses of chance, so that the two do not meet again. */
async function unlessInConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === TRANSACTION_ATTEMPTS || !isConflict(error)) throw error;
      await sleep(Math.random() * LONGEST_PAUSE_MS * attempt);
    }
  }
}

const isConflict = (error: unknown) => TRANSIENT.has(sqlStateOf(error) ?? '');

/** PostgreSQL's five-character code of a failed statement, such as `23505` for a broken unique key. */
function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

const TOO_BUSY = new Set(['55P03', '57014', '53300']);

/** PostgreSQL is there but could not serve in time: a lock, a slow statement, or no free connection. */
export function isTooBusy(error: unknown): boolean {
  return isWithoutConnection(error) || TOO_BUSY.has(sqlStateOf(error) ?? '');
}

/** Not a bug and nobody's fault here: whoever asked may ask again in a moment. */
export function isUnavailable(error: unknown): boolean {
  return isTooBusy(error) || isOutOfReach(error) || isConflict(error);
}

/**
 * There was no connection to be had, or it broke: then what was sent may have been done, and must not be sent again as if it had
 * not.
 */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isWithoutConnection(error) || BROKEN_WORDS.test(error.message)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error instanceof pg.DatabaseError) return BROKEN_STATES.test(code);
  return 'syscall' in error && (error.syscall === 'connect' || BROKEN_SOCKET.has(code));
}

/** The server is going down, starting or gone; or it ended a transaction that nobody went on with. */
const BROKEN_STATES = /^(?:08...|57P0[1-5]|25P03|53300)$/;
const BROKEN_SOCKET = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** The driver's own errors have no code. */
const BROKEN_WORDS =
  /^(?:Connection terminated|Client (?:was closed|has encountered a connection error)|Cannot use a pool after calling end)/;

/** There was no connection to be had for as long as anybody waits for one: whoever asks next waits as long. */
function isWithoutConnection(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

/** One of its kind for each database that this process works on, made when it is first asked for: the product has one, a test run many. */
export function perDatabase<T>(open: (db: Db) => T): (db: Db) => T {
  const opened = new WeakMap<Db, T>();
  return (db) => {
    const known = opened.get(db);
    if (known !== undefined) return known;
    const made = open(db);
    opened.set(db, made);
    return made;
  };
}

/**
 * Changes the schema while people buy. A statement that waits for a table lock holds up all that come later, so a change
 * waits for less time than any request does, gives up, lets the others pass, and tries again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Shorter than the lock timeout of requests, 3 s. */
const LOCK_MS = 1_000;
const ATTEMPTS = 30;
const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** A lock timeout, or a deadlock. */
const LOCKED = new Set(['55P03', '40P01']);

export class LockedTables extends Error {}

/** @param statementMs limit of each statement; 0 is none */
export async function withShortLocks(
  client: pg.PoolClient,
  { what, statementMs }: { what: string; statementMs: number },
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin');
      await client.query(`set local lock_timeout = ${LOCK_MS}; set local statement_timeout = ${statementMs}`);
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (!isLocked(error)) throw error;
      if (attempt === ATTEMPTS)
        throw new LockedTables(
          `${what} waits for a table that a long transaction uses, such as a backup with pg_dump. Start again when that is over.`,
        );
      await sleep(Math.min(PAUSE_MS * attempt, LONGEST_PAUSE_MS) * (0.5 + Math.random()));
    }
  }
}

const isLocked = (error: unknown) => error instanceof pg.DatabaseError && LOCKED.has(error.code ?? '');

/** What the passing of time brings about, and moving time forward so that it happens in order. */

import type pg from 'pg';
import { lockSession } from './checkout-sessions.ts';
import { inTransaction } from './database.ts';
import { delayedPaymentsDue, settleDelayedPayment } from './delayed-payments.ts';
import type { Deliveries } from './webhook-dispatcher.ts';
import { matureBalances } from './balances.ts';
import { payOutConnectedAccounts, SWEEPS_DUE } from './payouts.ts';
import { anyRefundWaits, settleRefunds } from './refunds.ts';
import type { Work } from './operation-context.ts';

export interface SandboxClock {
  now(): Date;
  advanceSeconds(seconds: number): Promise<void>;
}

interface Options {
  pool: pg.Pool;
  clock: SandboxClock;
  deliveries: Deliveries;
  publicUrl: string;
}

export class ClockWork {
  readonly #options: Options;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Does what has fallen due. One at a time; callers queue. */
  runDue(): Promise<void> {
    return this.#inTurn(() => this.#runDue());
  }

  /** The cheap question first: this is asked every second. */
  async runIfDue(): Promise<void> {
    const due = await this.#nextDue();
    const isDue = due !== null && due <= this.#now();
    if (isDue || (await anyRefundWaits(this.#options.pool))) await this.runDue();
  }

  /** Moves the clock to each due moment on the way, and does its work there, before it moves on. */
  advance(seconds: number): Promise<void> {
    return this.#inTurn(async () => {
      const { clock, deliveries } = this.#options;
      let left = seconds;
      for (;;) {
        await this.#runDue();
        await deliveries.idle();
        const due = await this.#nextDue();
        const wait = due === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(due - this.#now()));
        if (wait >= left) break;
        await clock.advanceSeconds(wait);
        left -= wait;
      }
      if (left > 0) await clock.advanceSeconds(left);
      await this.#runDue();
      await deliveries.idle();
    });
  }

  async idle(): Promise<void> {
    await this.#turn;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  #now(): number {
    return this.#options.clock.now().getTime() / 1000;
  }

  async #runDue(): Promise<void> {
    const { pool } = this.#options;
    for (const id of await this.#overdueSessions()) {
      // One transaction each: a session that is being paid right now must not hold up the others.
      await inTransaction(pool, (tx) => lockSession(this.#work(tx), id));
    }
    for (const id of await delayedPaymentsDue({ tx: pool, now: this.#now() })) {
      await inTransaction(pool, (tx) => settleDelayedPayment(this.#work(tx), id));
    }
    await inTransaction(pool, async (tx) => {
      await matureBalances(this.#work(tx));
      await settleRefunds(this.#work(tx));
      await payOutConnectedAccounts(this.#work(tx));
      await tx.query('delete from sandbox.idempotency_keys where expires_at <= $1', [this.#now()]);
    });
    this.#options.deliveries.wake();
  }

  #work(tx: Work['tx']): Work {
    return { tx, now: this.#now(), publicUrl: this.#options.publicUrl, request: null, account: null };
  }

  async #overdueSessions(): Promise<string[]> {
    const { rows } = await this.#options.pool.query<{ id: string }>(
      `select id from sandbox.objects
        where kind = 'checkout.session' and due_at <= $1 order by due_at`,
      [this.#now()],
    );
    return rows.map(({ id }) => id);
  }

  async #nextDue(): Promise<number | null> {
    const { rows } = await this.#options.pool.query<{ due: number | null }>(
      `/* prepared next_due */
       select least(
         (select min(due_at) from sandbox.objects),
         (select min(available_on) from sandbox.balance_transactions where status = 'pending'),
         (select min(due) from (${SWEEPS_DUE}) as sweeps),
         (select min(next_attempt_at) from sandbox.deliveries)) as due`,
    );
    return rows[0]?.due ?? null;
  }
}

/** Runs whatever falls due as time passes, in order, also when the clock jumps forward. */

import type pg from 'pg';
import { inTransaction } from './database.ts';
import { releaseSettledFunds } from './money/balances.ts';
import { AUTOMATIC_PAYOUTS_DUE, runAutomaticPayouts } from './money/payouts.ts';
import type { OperationContext } from './operation-context.ts';
import { lockSession } from './payments/checkout-sessions.ts';
import { findDueDelayedPayments, settleDelayedPayment } from './payments/delayed-payments.ts';
import { hasRefundAwaitingFunds, settleRefunds } from './payments/refunds.ts';
import type { WebhookDispatcher } from './webhooks/webhook-dispatcher.ts';

export interface SandboxClock {
  now(): Date;
  advanceSeconds(seconds: number): Promise<void>;
}

interface SchedulerOptions {
  pool: pg.Pool;
  clock: SandboxClock;
  webhooks: WebhookDispatcher;
  publicUrl: string;
}

export class Scheduler {
  readonly #options: SchedulerOptions;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Runs everything that is due. Calls are serialized. */
  runDue(): Promise<void> {
    return this.#enqueue(() => this.#runDue());
  }

  /** Checks with one query first, because this runs every second. */
  async runIfDue(): Promise<void> {
    const due = await this.#nextDue();
    const isDue = due !== null && due <= this.#now();
    if (isDue || (await hasRefundAwaitingFunds(this.#options.pool))) await this.runDue();
  }

  /** Moves the clock forward, stopping at each due time on the way to run what is due. */
  advance(seconds: number): Promise<void> {
    return this.#enqueue(async () => {
      const { clock, webhooks } = this.#options;
      let remaining = seconds;
      for (;;) {
        await this.#runDue();
        await webhooks.idle();
        const due = await this.#nextDue();
        const wait = due === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(due - this.#now()));
        if (wait >= remaining) break;
        await clock.advanceSeconds(wait);
        remaining -= wait;
      }
      if (remaining > 0) await clock.advanceSeconds(remaining);
      await this.#runDue();
      await webhooks.idle();
    });
  }

  async idle(): Promise<void> {
    await this.#queue;
  }

  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(task);
    this.#queue = result.catch(() => {});
    return result;
  }

  #now(): number {
    return this.#options.clock.now().getTime() / 1000;
  }

  async #runDue(): Promise<void> {
    const { pool } = this.#options;
    for (const id of await this.#overdueSessions()) {
      // One transaction per session: a session that is being paid must not block the others.
      await inTransaction(pool, (tx) => lockSession(this.#context(tx), id));
    }
    for (const id of await findDueDelayedPayments({ tx: pool, now: this.#now() })) {
      await inTransaction(pool, (tx) => settleDelayedPayment(this.#context(tx), id));
    }
    await inTransaction(pool, async (tx) => {
      await releaseSettledFunds(this.#context(tx));
      await settleRefunds(this.#context(tx));
      await runAutomaticPayouts(this.#context(tx));
      await tx.query('delete from sandbox.idempotency_keys where expires_at <= $1', [this.#now()]);
    });
    this.#options.webhooks.wake();
  }

  #context(tx: OperationContext['tx']): OperationContext {
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
         (select min(due) from (${AUTOMATIC_PAYOUTS_DUE}) as automatic_payouts),
         (select min(next_attempt_at) from sandbox.deliveries)) as due`,
    );
    return rows[0]?.due ?? null;
  }
}

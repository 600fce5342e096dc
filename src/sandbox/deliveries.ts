/**
 * Sends queued events to their endpoints, several at a time, and repeats what was not accepted.
 * The queue is a table: what a killed process had not delivered is sent by the next one.
 */

import { createHmac } from 'node:crypto';
import type pg from 'pg';
import type { Faults } from './faults.ts';
import type { Recording } from './recording.ts';

const AT_ONCE = 8;
const TIMEOUT_MS = 10_000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const RETRY_SECONDS = [1, 5, 30, 5 * MINUTE, HOUR];
const GIVE_UP_SECONDS = 3 * 24 * HOUR;

interface Due {
  id: string;
  attempts: number;
  firstDueAt: number;
  type: string;
  payload: string;
  url: string;
  secret: string;
}

interface Options {
  pool: pg.Pool;
  now(): number;
  faults: Faults;
  recording: Recording;
}

export class Deliveries {
  readonly #options: Options;
  readonly #underWay = new Map<string, Promise<void>>();
  #pumping: Promise<void> | null = null;
  #isWanted = false;
  readonly #closing = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Starts what is due. Returns at once; failures to reach the database are left to the next call. */
  wake(): void {
    if (this.#isClosed) return;
    this.#isWanted = true;
    this.#pumping ??= this.#pump()
      .catch(() => {})
      .finally(() => {
        this.#pumping = null;
        // Somebody woke it between its last look and now.
        if (this.#isWanted) this.wake();
      });
  }

  /** Resolves when nothing is under way and nothing is due. */
  async idle(): Promise<void> {
    while (!this.#isClosed) {
      this.wake();
      await this.#pumping;
      if (this.#underWay.size > 0) await Promise.race(this.#underWay.values());
      else if ((await this.#dueNow()).length === 0) return;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pumping;
    await Promise.allSettled(this.#underWay.values());
  }

  /** One at a time. Who wakes it while it looks makes it look again: their rows may be newer than its look. */
  async #pump(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      await this.#startDue();
    }
  }

  async #startDue(): Promise<void> {
    const room = AT_ONCE - this.#underWay.size;
    if (room <= 0) return;
    // A delivery may end while the query runs, which then still answers it as due.
    const before = new Set(this.#underWay.keys());
    const due = (await this.#dueNow()).filter(({ id }) => !before.has(id));
    if (due.length > 1 && this.#options.faults.takeForDelivery('reorder')) this.#sendBackwards(due);
    else for (const delivery of due.slice(0, room)) this.#track(delivery.id, this.#send(delivery));
  }

  /** Newest first, one by one: with several at a time the order would be left to chance. */
  #sendBackwards(due: Due[]): void {
    let last = Promise.resolve();
    for (const delivery of due.reverse()) {
      last = last.then(() => this.#send(delivery));
      this.#track(delivery.id, last);
    }
  }

  #track(id: string, sending: Promise<void>): void {
    const tracked = sending
      // The database is away: the row still says due, and the next wake tries again.
      .catch(() => {})
      .finally(() => {
        this.#underWay.delete(id);
        this.wake();
      });
    this.#underWay.set(id, tracked);
  }

  async #dueNow(): Promise<Due[]> {
    const { rows } = await this.#options.pool.query<Due>(
      `select d.id::text, d.attempts, d.first_due_at as "firstDueAt", e.type, e.payload,
              o.body->>'url' as url, o.inside->>'secret' as secret
         from sandbox.deliveries d
         join sandbox.events e on e.id = d.event_id
         join sandbox.objects o on o.id = d.endpoint_id
        where d.next_attempt_at <= $1
        order by d.next_attempt_at, d.id limit 100`,
      [this.#options.now()],
    );
    return rows;
  }

  async #send(delivery: Due): Promise<void> {
    const { faults, now } = this.#options;
    if (faults.takeForDelivery('drop'))
      return await this.#record(delivery, { nextAttemptAt: null, answer: 'dropped by a fault' });
    const delay = faults.takeForDelivery('delay');
    if (delay) return await this.#postpone(delivery, now() + delay.ms / 1000);

    const copies = faults.takeForDelivery('duplicate') ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: copies }, () => this.#post(delivery)));
    const accepted = answers.every(({ ok }) => ok);
    // Cut off by our own end: the row stays due for the next start.
    if (!accepted && this.#isClosed) return;
    await this.#record(delivery, {
      nextAttemptAt: accepted ? null : this.#retryAt(delivery),
      answer: answers.map(({ answer }) => answer).join(', '),
      accepted,
    });
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #post({ payload: kept, url, secret, type }: Due): Promise<{ ok: boolean; answer: string }> {
    const { faults, recording, now } = this.#options;
    const timestamp = Math.floor(now()) - (faults.takeForDelivery('old_timestamp') ? HOUR : 0);
    const payload = faults.takeForDelivery('wrong_version')
      ? kept.replace(/"api_version":"[^"]*"/, '"api_version":"2020-08-27"')
      : kept;
    const signature = sign(payload, faults.takeForDelivery('bad_signature') ? `${secret}_wrong` : secret, timestamp);
    recording.add({ event: type, payload, signature, secret });
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#closing.signal]),
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': signature,
        },
      });
      await response.body?.cancel();
      return { ok: response.ok, answer: String(response.status) };
    } catch (error) {
      return { ok: false, answer: error instanceof Error ? error.name : 'unreachable' };
    }
  }

  #retryAt({ attempts, firstDueAt }: Due): number | null {
    const next = this.#options.now() + (RETRY_SECONDS[attempts] ?? HOUR);
    return next - firstDueAt > GIVE_UP_SECONDS ? null : next;
  }

  async #record(
    { id }: Due,
    { nextAttemptAt, answer, accepted = false }: { nextAttemptAt: number | null; answer: string; accepted?: boolean },
  ): Promise<void> {
    await this.#options.pool.query(
      `update sandbox.deliveries set attempts = attempts + 1, next_attempt_at = $2, last_answer = $3,
              delivered_at = case when $4 then $5::float8 else delivered_at end
        where id = $1`,
      [id, nextAttemptAt, answer, accepted, this.#options.now()],
    );
  }

  async #postpone({ id }: Due, until: number): Promise<void> {
    await this.#options.pool.query('update sandbox.deliveries set next_attempt_at = $2 where id = $1', [id, until]);
  }
}

/** Stripe's signature over the exact bytes that are sent. The v0 is a decoy that receivers must ignore. */
function sign(payload: string, secret: string, timestamp: number): string {
  const v1 = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  const v0 = createHmac('sha256', 'not the secret').update(`${timestamp}.${payload}`).digest('hex');
  return `t=${timestamp},v1=${v1},v0=${v0}`;
}

/**
 * Sends queued events to their endpoints, several at a time, and repeats what was not accepted.
 * The queue is a table: what a killed process had not delivered is sent by the next one.
 */

import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Claimed, DeliveryQueue } from './delivery-queue.ts';
import type { Faults } from './faults.ts';
import { randomText } from './ids.ts';
import type { Recording } from './recording.ts';
import type { EndpointInside } from './shapes/webhook-endpoint.ts';

const AT_ONCE = 8;
const LARGEST_BATCH = 100;
const TIMEOUT_MS = 10_000;
const RENEWAL_MS = 1_000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const RETRY_SECONDS = [1, 5, 30, 5 * MINUTE, HOUR];
const GIVE_UP_SECONDS = 3 * 24 * HOUR;

interface Options {
  pool: pg.Pool;
  now(): number;
  faults: Faults;
  recording: Recording;
}

export class Deliveries {
  readonly #options: Options;
  readonly #queue: DeliveryQueue;
  readonly #underWay = new Map<string, Promise<void>>();
  #pumping: Promise<void> | null = null;
  #isWanted = false;
  readonly #closing = new AbortController();
  readonly #renewal: NodeJS.Timeout;

  constructor(options: Options) {
    this.#options = options;
    this.#queue = new DeliveryQueue(options.pool, randomText(12));
    this.#renewal = setInterval(() => {
      // Failing to renew is failing to reach the database: another process may then send it too.
      if (this.#underWay.size > 0) this.#queue.renew([...this.#underWay.keys()]).catch(() => {});
    }, RENEWAL_MS).unref();
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

  /** Resolves when nothing is under way and nothing is due, here or in another process. */
  async idle(): Promise<void> {
    while (!this.#isClosed) {
      this.wake();
      await this.#pumping;
      if (this.#underWay.size > 0) await Promise.race(this.#underWay.values());
      else if (!(await this.#queue.isAnyDue(this.#options.now()))) return;
      else await sleep(10);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#renewal);
    await this.#pumping;
    await Promise.allSettled(this.#underWay.values());
    // Without a database the leases end by themselves.
    await this.#queue.release().catch(() => {});
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
    const { faults, now } = this.#options;
    const mayReorder = faults.isPlanned('reorder');
    const due = await this.#queue.claim(now(), mayReorder ? LARGEST_BATCH : room);
    if (due.length === 0) return;
    const isBackwards = mayReorder && due.length > 1 && due.some(({ type }) => faults.takeForDelivery('reorder', type));
    if (isBackwards) this.#sendBackwards(due);
    else for (const delivery of due) this.#track(delivery.id, this.#send(delivery));
  }

  /** Newest first, one by one: with several at a time the order would be left to chance. */
  #sendBackwards(due: Claimed[]): void {
    let last = Promise.resolve();
    for (const delivery of due.reverse()) {
      last = last.then(() => this.#send(delivery));
      this.#track(delivery.id, last);
    }
  }

  #track(id: string, sending: Promise<void>): void {
    const tracked = sending
      // The database is away: the row still says due, and is free again when its lease is over.
      .catch(() => {})
      .finally(() => {
        this.#underWay.delete(id);
        this.wake();
      });
    this.#underWay.set(id, tracked);
  }

  async #send(delivery: Claimed): Promise<void> {
    const { faults, now } = this.#options;
    const { id, type, url, endpoint } = delivery;
    const giveUp = (answer: string) => this.#queue.record(id, now(), { nextAttemptAt: null, answer, accepted: false });
    if (url === null || endpoint === null) return await giveUp('the endpoint is gone');
    if (faults.takeForDelivery('drop', type)) return await giveUp('dropped by a fault');
    const delay = faults.takeForDelivery('delay', type);
    if (delay) return await this.#queue.postpone(id, now() + delay.ms / 1000);

    const copies = faults.takeForDelivery('duplicate', type)?.copies ?? 1;
    const answers = await Promise.all(Array.from({ length: copies }, () => this.#post(delivery, url, endpoint)));
    const accepted = answers.every(({ ok }) => ok);
    // Cut off by our own end: the row stays due for the next start.
    if (!accepted && this.#isClosed) return;
    await this.#queue.record(id, now(), {
      nextAttemptAt: accepted ? null : this.#retryAt(delivery),
      answer: answers.map(({ answer }) => answer).join(', '),
      accepted,
    });
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #post(
    { payload: kept, type }: Claimed,
    url: string,
    endpoint: EndpointInside,
  ): Promise<{ ok: boolean; answer: string }> {
    const { faults, recording, now } = this.#options;
    const timestamp = Math.floor(now()) - (faults.takeForDelivery('old_timestamp', type) ? HOUR : 0);
    const payload = faults.takeForDelivery('wrong_version', type)
      ? kept.replace(/"api_version":"[^"]*"/, '"api_version":"2020-08-27"')
      : kept;
    const secrets = faults.takeForDelivery('bad_signature', type)
      ? [`${endpoint.secret}_wrong`]
      : secretsOf(endpoint, now());
    const signature = sign(payload, secrets, timestamp);
    recording.add({ event: type, payload, signature, secret: endpoint.secret });
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

  #retryAt({ attempts, firstDueAt }: Claimed): number | null {
    const next = this.#options.now() + (RETRY_SECONDS[attempts] ?? HOUR);
    return next - firstDueAt > GIVE_UP_SECONDS ? null : next;
  }
}

function secretsOf({ secret, previous }: EndpointInside, now: number): string[] {
  return previous && previous.until > now ? [secret, previous.secret] : [secret];
}

/** Stripe's signatures over the exact bytes that are sent, one a secret. The v0 is a decoy that receivers must ignore. */
function sign(payload: string, secrets: string[], timestamp: number): string {
  const by = (secret: string) => createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  const v1 = secrets.map((secret) => `v1=${by(secret)}`);
  return [`t=${timestamp}`, ...v1, `v0=${by('not the secret')}`].join(',');
}

/**
 * Sends queued events to their endpoints, several at a time, and repeats what was not accepted.
 * The queue is a table: what a killed process had not delivered is sent by the next one.
 */

import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type ClaimedDelivery, DeliveryQueue } from './delivery-queue.ts';
import type { Faults } from './faults.ts';
import { randomText } from './ids.ts';
import type { Recorder } from './recorder.ts';
import type { EndpointInside } from './shapes/webhook-endpoint.ts';

const MAX_CONCURRENT = 8;
const MAX_REORDER_BATCH = 100;
const TIMEOUT_MS = 10_000;
const LEASE_RENEWAL_MS = 1_000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const RETRY_DELAYS_SECONDS = [1, 5, 30, 5 * MINUTE, HOUR];
const GIVE_UP_AFTER_SECONDS = 3 * 24 * HOUR;

interface DispatcherOptions {
  pool: pg.Pool;
  now(): number;
  faults: Faults;
  recorder: Recorder;
}

export class WebhookDispatcher {
  readonly #options: DispatcherOptions;
  readonly #queue: DeliveryQueue;
  readonly #inflight = new Map<string, Promise<void>>();
  #drain: Promise<void> | null = null;
  #isWakeRequested = false;
  readonly #closing = new AbortController();
  readonly #leaseRenewal: NodeJS.Timeout;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#queue = new DeliveryQueue(options.pool, randomText(12));
    this.#leaseRenewal = setInterval(() => {
      // Failing to renew is failing to reach the database: another process may then send it too.
      if (this.#inflight.size > 0) this.#queue.renew([...this.#inflight.keys()]).catch(() => {});
    }, LEASE_RENEWAL_MS).unref();
  }

  /** Starts what is due. Returns at once; failures to reach the database are left to the next call. */
  wake(): void {
    if (this.#isClosed) return;
    this.#isWakeRequested = true;
    this.#drain ??= this.#drainQueue()
      .catch(() => {})
      .finally(() => {
        this.#drain = null;
        // Somebody woke it between its last look and now.
        if (this.#isWakeRequested) this.wake();
      });
  }

  /** Resolves when nothing is under way and nothing is due, here or in another process. */
  async idle(): Promise<void> {
    while (!this.#isClosed) {
      this.wake();
      await this.#drain;
      if (this.#inflight.size > 0) await Promise.race(this.#inflight.values());
      else if (!(await this.#queue.hasDue(this.#options.now()))) return;
      else await sleep(10);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#leaseRenewal);
    await this.#drain;
    await Promise.allSettled(this.#inflight.values());
    // Without a database the leases end by themselves.
    await this.#queue.release().catch(() => {});
  }

  /** One at a time. Who wakes it while it looks makes it look again: their rows may be newer than its look. */
  async #drainQueue(): Promise<void> {
    while (this.#isWakeRequested && !this.#isClosed) {
      this.#isWakeRequested = false;
      await this.#startDue();
    }
  }

  async #startDue(): Promise<void> {
    const freeSlots = MAX_CONCURRENT - this.#inflight.size;
    if (freeSlots <= 0) return;
    const { faults, now } = this.#options;
    const mayReorder = faults.hasPlanned('reorder');
    const due = await this.#queue.claim(now(), mayReorder ? MAX_REORDER_BATCH : freeSlots);
    if (due.length === 0) return;
    const isBackwards =
      mayReorder && due.length > 1 && due.some(({ type }) => faults.consumeForDelivery('reorder', type));
    if (isBackwards) this.#sendBackwards(due);
    else for (const delivery of due) this.#track(delivery.id, this.#send(delivery));
  }

  /** Newest first, one by one: with several at a time the order would be left to chance. */
  #sendBackwards(due: ClaimedDelivery[]): void {
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
        this.#inflight.delete(id);
        this.wake();
      });
    this.#inflight.set(id, tracked);
  }

  async #send(delivery: ClaimedDelivery): Promise<void> {
    const { faults, now } = this.#options;
    const { id, type, url, endpoint } = delivery;
    const giveUp = (answer: string) => this.#queue.record(id, now(), { nextAttemptAt: null, answer, accepted: false });
    if (url === null || endpoint === null) return await giveUp('the endpoint is gone');
    if (faults.consumeForDelivery('drop', type)) return await giveUp('dropped by a fault');
    const delay = faults.consumeForDelivery('delay', type);
    if (delay) return await this.#queue.postpone(id, now() + delay.ms / 1000);

    const copies = faults.consumeForDelivery('duplicate', type)?.copies ?? 1;
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
    { payload: original, type }: ClaimedDelivery,
    url: string,
    endpoint: EndpointInside,
  ): Promise<{ ok: boolean; answer: string }> {
    const { faults, recorder, now } = this.#options;
    const timestamp = Math.floor(now()) - (faults.consumeForDelivery('old_timestamp', type) ? HOUR : 0);
    const payload = faults.consumeForDelivery('wrong_version', type)
      ? original.replace(/"api_version":"[^"]*"/, '"api_version":"2020-08-27"')
      : original;
    const secrets = faults.consumeForDelivery('bad_signature', type)
      ? [`${endpoint.secret}_wrong`]
      : activeSecrets(endpoint, now());
    const signature = signatureHeader(payload, secrets, timestamp);
    recorder.add({ event: type, payload, signature, secret: endpoint.secret });
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

  #retryAt({ attempts, firstDueAt }: ClaimedDelivery): number | null {
    const next = this.#options.now() + (RETRY_DELAYS_SECONDS[attempts] ?? HOUR);
    return next - firstDueAt > GIVE_UP_AFTER_SECONDS ? null : next;
  }
}

function activeSecrets({ secret, previous }: EndpointInside, now: number): string[] {
  return previous && previous.until > now ? [secret, previous.secret] : [secret];
}

/** Stripe's signatures over the exact bytes that are sent, one a secret. The v0 is a decoy that receivers must ignore. */
function signatureHeader(payload: string, secrets: string[], timestamp: number): string {
  const by = (secret: string) => createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  const v1 = secrets.map((secret) => `v1=${by(secret)}`);
  return [`t=${timestamp}`, ...v1, `v0=${by('not the secret')}`].join(',');
}

/**
 * Sends queued events to their endpoints concurrently and retries failed attempts. The queue is a table, so deliveries
 * survive a killed process.
 */

import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Faults } from '#sandbox/faults.ts';
import { randomText } from '#sandbox/ids.ts';
import type { Recorder } from '#sandbox/recorder.ts';
import type { EndpointInside } from '#sandbox/shapes/webhook-endpoint.ts';
import { type ClaimedDelivery, DeliveryQueue } from './delivery-queue.ts';

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
      // Renewal fails only when the database is unreachable. Another process may then deliver the event again.
      if (this.#inflight.size > 0) this.#queue.renew([...this.#inflight.keys()]).catch(() => {});
    }, LEASE_RENEWAL_MS).unref();
  }

  /** Starts due deliveries and returns immediately. After a database failure, the next call retries. */
  wake(): void {
    if (this.#isClosed) return;
    this.#isWakeRequested = true;
    this.#drain ??= this.#drainQueue()
      .catch(() => {})
      .finally(() => {
        this.#drain = null;
        // `wake` was called after the last poll.
        if (this.#isWakeRequested) this.wake();
      });
  }

  /** Resolves when no delivery is in flight or due in any process. */
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
    // If the database is unreachable, the leases expire.
    await this.#queue.release().catch(() => {});
  }

  /** Polls again when woken during a poll, which may have missed newer rows. */
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
    const isReversed =
      mayReorder && due.length > 1 && due.some(({ type }) => faults.consumeForDelivery('reorder', type));
    if (isReversed) this.#sendReversed(due);
    else for (const delivery of due) this.#track(delivery.id, this.#send(delivery));
  }

  /** Sends newest first, one at a time, so that the order is deterministic. */
  #sendReversed(due: ClaimedDelivery[]): void {
    let previous = Promise.resolve();
    for (const delivery of due.reverse()) {
      previous = previous.then(() => this.#send(delivery));
      this.#track(delivery.id, previous);
    }
  }

  #track(id: string, sending: Promise<void>): void {
    const tracked = sending
      // Database failure: the row is still due, and is claimed again after its lease expires.
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
    if (url === null || endpoint === null) return await giveUp('the endpoint was deleted');
    if (faults.consumeForDelivery('drop', type)) return await giveUp('dropped by a fault');
    const delay = faults.consumeForDelivery('delay', type);
    if (delay) return await this.#queue.postpone(id, now() + delay.ms / 1000);

    const copies = faults.consumeForDelivery('duplicate', type)?.copies ?? 1;
    const answers = await Promise.all(Array.from({ length: copies }, () => this.#post(delivery, url, endpoint)));
    const accepted = answers.every(({ ok }) => ok);
    // Aborted by shutdown. The row stays due for the next process.
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

/** One v1 signature per secret over the exact payload. Like Stripe's test mode, adds a v0 that receivers must ignore. */
function signatureHeader(payload: string, secrets: string[], timestamp: number): string {
  const hmac = (secret: string) => createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  const v1 = secrets.map((secret) => `v1=${hmac(secret)}`);
  return [`t=${timestamp}`, ...v1, `v0=${hmac('not the secret')}`].join(',');
}

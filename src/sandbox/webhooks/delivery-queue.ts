/**
 * The delivery queue. A process claims a delivery with a lease on the database's clock, so a killed process's deliveries
 * become claimable again within seconds.
 */

import type pg from 'pg';
import type { OperationContext } from '#sandbox/operation-context.ts';
import type { EndpointInside } from '#sandbox/shapes/webhook-endpoint.ts';

const LEASE = "interval '4 seconds'";

export interface ClaimedDelivery {
  id: string;
  attempts: number;
  firstDueAt: number;
  type: string;
  payload: string;
  /** Null when the endpoint was deleted. */
  url: string | null;
  endpoint: EndpointInside | null;
}

export interface AttemptOutcome {
  nextAttemptAt: number | null;
  answer: string;
  accepted: boolean;
}

export class DeliveryQueue {
  readonly #pool: pg.Pool;
  readonly #owner: string;

  constructor(pool: pg.Pool, owner: string) {
    this.#pool = pool;
    this.#owner = owner;
  }

  /** Oldest first. Skips rows that another process is claiming. */
  async claim(now: number, limit: number): Promise<ClaimedDelivery[]> {
    const { rows } = await this.#pool.query<ClaimedDelivery>(
      `/* prepared claim_deliveries */
       with claimed as (
         update sandbox.deliveries set leased_until = clock_timestamp() + ${LEASE}, leased_by = $3
          where id in (select id from sandbox.deliveries
                        where next_attempt_at <= $1 and (leased_until is null or leased_until < clock_timestamp())
                        order by next_attempt_at, id limit $2 for update skip locked)
         returning id, event_id, endpoint_id, attempts, first_due_at, next_attempt_at)
       select d.id::text, d.attempts, d.first_due_at as "firstDueAt", e.type, e.payload,
              coalesce(o.body->>'url', o.body->'webhook_endpoint'->>'url') as url, o.inside as endpoint
         from claimed d
         join sandbox.events e on e.id = d.event_id
         left join sandbox.objects o on o.id = d.endpoint_id
        order by d.next_attempt_at, d.id`,
      [now, limit, this.#owner],
    );
    return rows;
  }

  /** Extends the leases of slow deliveries. */
  async renew(ids: string[]): Promise<void> {
    await this.#pool.query(
      `update sandbox.deliveries set leased_until = clock_timestamp() + ${LEASE}
        where id = any($1::bigint[]) and leased_by = $2`,
      [ids, this.#owner],
    );
  }

  async record(id: string, at: number, { nextAttemptAt, answer, accepted }: AttemptOutcome): Promise<void> {
    await this.#pool.query(
      `with attempt as (insert into sandbox.delivery_attempts (delivery_id, at, answer, accepted) values ($1, $5, $3, $4))
       update sandbox.deliveries set attempts = attempts + 1, next_attempt_at = $2, last_answer = $3,
              delivered_at = case when $4 then $5::float8 else delivered_at end, leased_until = null, leased_by = null
        where id = $1`,
      [id, nextAttemptAt, answer, accepted, at],
    );
  }

  async postpone(id: string, until: number): Promise<void> {
    await this.#pool.query(
      'update sandbox.deliveries set next_attempt_at = $2, leased_until = null, leased_by = null where id = $1',
      [id, until],
    );
  }

  /** Releases this process's unfinished claims. */
  async release(): Promise<void> {
    await this.#pool.query(
      'update sandbox.deliveries set leased_until = null, leased_by = null where leased_by = $1 and next_attempt_at is not null',
      [this.#owner],
    );
  }

  /** Includes deliveries that a process has already claimed. */
  async hasDue(now: number): Promise<boolean> {
    const { rowCount } = await this.#pool.query('select from sandbox.deliveries where next_attempt_at <= $1 limit 1', [
      now,
    ]);
    return Boolean(rowCount);
  }
}

/** Queues the event again for all of its endpoints. */
export async function resendEvent({ tx, now }: Pick<OperationContext, 'tx' | 'now'>, eventId: string): Promise<number> {
  const { rowCount } = await tx.query(
    'update sandbox.deliveries set next_attempt_at = $2, first_due_at = $2, attempts = 0 where event_id = $1',
    [eventId, now],
  );
  return rowCount ?? 0;
}

export interface DeliveryAttempt {
  endpoint: string;
  at: number;
  answer: string;
  accepted: boolean;
}

/** Delivery attempts of the event, oldest first. */
export async function listAttempts({ tx }: Pick<OperationContext, 'tx'>, eventId: string): Promise<DeliveryAttempt[]> {
  const { rows } = await tx.query<DeliveryAttempt>(
    `select d.endpoint_id as endpoint, a.at, a.answer, a.accepted
       from sandbox.delivery_attempts a join sandbox.deliveries d on d.id = a.delivery_id
      where d.event_id = $1 order by a.id`,
    [eventId],
  );
  return rows;
}

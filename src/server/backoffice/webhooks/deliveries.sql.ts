import { sql } from 'kysely';
import { TEST_TYPE } from '#domain/accounts/webhooks.ts';
import type { Db } from '#server/platform/database.ts';
import type { WebhookAnswer } from '#server/platform/ports/webhook-sender.ts';
import type { Schema } from '#server/platform/schema.ts';

export interface ClaimedDelivery
  extends Pick<Schema['webhookDeliveries'], 'endpointId' | 'type' | 'eventId' | 'objectId' | 'occurredAt'> {
  id: string;
  attempts: number;
  organizationId: string;
  url: string;
  secretsSealed: Buffer;
}

interface Claim {
  limit: number;
  /** In progress at once, of one endpoint. */
  perEndpoint: number;
  /** After that long, the process that claimed it is dead. */
  seconds: number;
}

/** False while another process claims. */
export async function lockClaims(tx: Db, lock: number): Promise<boolean> {
  const { rows } = await sql<{ isMine: boolean }>`select pg_try_advisory_xact_lock(${lock}) as is_mine`.execute(tx);
  return rows[0]?.isMine ?? false;
}

/**
 * Of each endpoint a few, of a failing one only one, so that none takes the others' turns. Of each subject the first: the next one
 * follows once it is over.
 */
export async function claimDeliveries(tx: Db, { limit, perEndpoint, seconds }: Claim): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with room as (
      select w.*,
             case when w.failing_since is null then ${perEndpoint}::int else 1 end
               - (select count(*) from webhook_deliveries d
                   where d.endpoint_id = w.id and d.sending_until > clock_timestamp()) as free
        from webhook_endpoints w
       where w.ended_at is null
    ), due as (
      select found.*
        from room r
       cross join lateral (
         select d.endpoint_id, d.id, d.next_at
           from webhook_deliveries d
          where d.endpoint_id = r.id and d.state = 'waiting' and d.next_at <= business_now()
            and (d.sending_until is null or d.sending_until <= clock_timestamp())
            and not exists (
              select from webhook_deliveries b
               where b.endpoint_id = d.endpoint_id and b.subject = d.subject and b.state = 'waiting'
                 and (b.occurred_at, b.id) < (d.occurred_at, d.id))
          order by d.next_at
          limit greatest(0, r.free)) as found
       order by found.next_at
       limit ${limit}
    )
    update webhook_deliveries d
       set sending_until = clock_timestamp() + make_interval(secs => ${seconds})
      from due join room r on r.id = due.endpoint_id
     where d.endpoint_id = due.endpoint_id and d.id = due.id
    returning d.endpoint_id, d.id, d.type, d.event_id, d.object_id, d.occurred_at, d.attempts,
              r.organization_id, r.url, r.secrets_sealed`.execute(tx);
  return rows;
}

interface Attempt {
  state: 'waiting' | 'delivered' | 'failed';
  answer: WebhookAnswer;
  at: Date;
  /** Of a waiting one. */
  nextAt: Date;
}

/** Leaves one whose endpoint has ended meanwhile. */
export async function recordAttempt(
  tx: Db,
  { endpointId, id, attempts }: ClaimedDelivery,
  { state, answer, at, nextAt }: Attempt,
): Promise<void> {
  await tx
    .updateTable('webhookDeliveries')
    .set({
      state,
      attempts: attempts + 1,
      nextAt,
      sendingUntil: null,
      attemptedAt: at,
      answerStatus: answer.status,
      problem: answer.problem,
      answerMs: answer.ms,
      ...(state === 'delivered' && { deliveredAt: at }),
    })
    .where('endpointId', '=', endpointId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

export async function dropDelivery(tx: Db, { endpointId, id }: ClaimedDelivery): Promise<void> {
  await tx
    .updateTable('webhookDeliveries')
    .set({ state: 'dropped', sendingUntil: null })
    .where('endpointId', '=', endpointId)
    .where('id', '=', id)
    .execute();
}

export async function insertTest(
  tx: Db,
  { endpointId, id, at }: { endpointId: string; id: string; at: Date },
): Promise<void> {
  const times = { occurredAt: at, nextAt: at };
  await tx
    .insertInto('webhookDeliveries')
    .values({ endpointId, id, type: TEST_TYPE, objectId: endpointId, subject: id, ...times })
    .execute();
}

/** False for an unknown delivery. One that waits anyway is sent at once. */
export async function sendAgainNow(
  tx: Db,
  { endpointId, deliveryId, at }: { endpointId: string; deliveryId: string; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhookDeliveries')
    .set({ state: 'waiting', attempts: 0, nextAt: at })
    .where('endpointId', '=', endpointId)
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Newest first. @param after null for the first page */
export function deliveriesOf(db: Db, endpointId: string, { after, limit }: { after: string | null; limit: number }) {
  const all = db.selectFrom('webhookDeliveries').where('endpointId', '=', endpointId);
  const rest = after === null ? all : all.where('id', '<', after);
  return rest.selectAll().orderBy('id', 'desc').limit(limit).execute();
}

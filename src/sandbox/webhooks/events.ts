/** Events with a snapshot of their object, queued for delivery in the same transaction as the change. */

import { newId } from '#sandbox/ids.ts';
import { type OperationContext, rfc3339, timestamp } from '#sandbox/operation-context.ts';

export const API_VERSION = '2026-10-28.endive';

interface EventOptions {
  /** The connected account that the event belongs to. */
  account?: string;
  previous?: object;
}

export async function emitEvent(
  ctx: OperationContext,
  type: string,
  object: object,
  { account, previous }: EventOptions = {},
): Promise<void> {
  const endpoints = await endpointsFor(ctx, type, account !== undefined);
  const event = {
    id: newId('evt'),
    object: 'event',
    ...(account ? { account } : {}),
    api_version: API_VERSION,
    created: timestamp(ctx),
    data: { object: object, ...(previous ? { previous_attributes: previous } : {}) },
    livemode: false,
    pending_webhooks: endpoints.length,
    request: ctx.request ?? { id: null, idempotency_key: null },
    type,
  };
  await ctx.tx.query('insert into sandbox.events (id, type, account, created, payload) values ($1, $2, $3, $4, $5)', [
    event.id,
    type,
    account ?? null,
    ctx.now,
    JSON.stringify(event),
  ]);
  await queueDeliveries(ctx, event.id, endpoints);
}

/** Emits a v2 thin event, which names an account without a snapshot. Fetching the event adds `detail`. */
export async function emitThinEvent(
  ctx: OperationContext,
  type: string,
  accountId: string,
  detail: object | null = null,
): Promise<void> {
  const event = {
    id: newId('evt_test'),
    object: 'v2.core.event',
    context: null,
    created: rfc3339(ctx.now),
    livemode: false,
    reason: ctx.request ? { type: 'request', request: ctx.request } : null,
    related_object: { id: accountId, type: 'v2.core.account', url: `/v2/core/accounts/${accountId}` },
    type,
  };
  await ctx.tx.query(
    `insert into sandbox.events (id, type, account, created, payload, is_thin, detail)
     values ($1, $2, null, $3, $4, true, $5)`,
    [event.id, type, ctx.now, JSON.stringify(event), detail && JSON.stringify(detail)],
  );
  const { rows } = await ctx.tx.query<{ id: string }>(
    `select id from sandbox.objects where kind = 'v2.core.event_destination' and body->>'status' = 'enabled'
        and exists (select from json_array_elements_text(body->'enabled_events') as event_type where event_type = $1)`,
    [type],
  );
  await queueDeliveries(
    ctx,
    event.id,
    rows.map(({ id }) => id),
  );
}

/** An endpoint subscribes to platform events, connected account events, or (the configured one) both. */
async function endpointsFor({ tx }: OperationContext, type: string, isConnect: boolean): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from sandbox.objects
      where kind = 'webhook_endpoint' and body->>'status' = 'enabled'
        and coalesce(inside->>'hears', $2) = $2
        and exists (select from json_array_elements_text(body->'enabled_events') as event_type where event_type in ('*', $1))
      order by seq`,
    [type, isConnect ? 'connect' : 'platform'],
  );
  return rows.map(({ id }) => id);
}

async function queueDeliveries({ tx, now }: OperationContext, eventId: string, endpoints: string[]): Promise<void> {
  if (endpoints.length === 0) return;
  await tx.query(
    `insert into sandbox.deliveries (event_id, endpoint_id, first_due_at, next_attempt_at)
     select $1, endpoint, $3, $3 from unnest($2::text[]) as endpoint`,
    [eventId, endpoints, now],
  );
}

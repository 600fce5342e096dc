/** Events: what happened, with the object as it was then, queued for delivery in the same transaction. */

import { newId } from './ids.ts';
import { stamp, type Work } from './work.ts';

export const API_VERSION = '2026-10-28.endive';

interface Told {
  /** The connected account on whose side it happened. */
  account?: string;
  previous?: object;
}

export async function tell(work: Work, type: string, subject: object, { account, previous }: Told = {}): Promise<void> {
  const event = {
    id: newId('evt'),
    object: 'event',
    ...(account ? { account } : {}),
    api_version: API_VERSION,
    created: stamp(work),
    data: { object: subject, ...(previous ? { previous_attributes: previous } : {}) },
    livemode: false,
    pending_webhooks: 1,
    request: work.request ?? { id: null, idempotency_key: null },
    type,
  };
  await work.tx.query('insert into sandbox.events (id, type, account, created, payload) values ($1, $2, $3, $4, $5)', [
    event.id,
    type,
    account ?? null,
    work.now,
    JSON.stringify(event),
  ]);
  await work.tx.query(
    `insert into sandbox.deliveries (event_id, endpoint_id, first_due_at, next_attempt_at)
     select $1, id, $3, $3 from sandbox.objects, json_array_elements_text(body->'enabled_events') as wanted
      where kind = 'webhook_endpoint' and wanted in ('*', $2)
      group by id`,
    [event.id, type, work.now],
  );
}

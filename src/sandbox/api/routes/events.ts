/** /v1/events of the last 30 days, and /v2/core/events */

import { resourceMissing } from '../errors.ts';
import { Conditions, created, listPage, paging } from '../list.ts';
import { boolean, list, optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/events';
const RETENTION_SECONDS = 30 * 24 * 60 * 60;

/** The payload as it was sent, with the current number of pending webhooks. */
const EVENT_AS_JSON = `(payload::jsonb || jsonb_build_object('pending_webhooks',
  (select count(*) from sandbox.deliveries d where d.event_id = events.id and d.delivered_at is null)))::json`;

const UNDELIVERED = 'exists (select from sandbox.deliveries d where d.event_id = events.id and d.delivered_at is null)';

const TABLE = { from: 'sandbox.events', select: EVENT_AS_JSON, objectName: 'event' };

export const eventRoutes: Route[] = [
  route(
    'GET',
    BASE,
    parameters({
      ...paging,
      created,
      type: optional(text),
      types: optional(list(text, 20)),
      delivery_success: optional(boolean),
    }),
    (ctx, { type, types, delivery_success, ...page }) => {
      const where = new Conditions()
        .add((p) => `account is not distinct from ${p}`, ctx.account)
        .add((p) => `created > ${p}`, ctx.now - RETENTION_SECONDS)
        .add((p) => `type like ${p}`, type?.replaceAll('_', '\\_').replaceAll('*', '%'))
        .add((p) => `type = any(${p})`, types)
        .addTimeRange(page.created);
      where.texts.push('not is_thin');
      if (delivery_success !== undefined) where.texts.push(delivery_success ? `not ${UNDELIVERED}` : UNDELIVERED);
      return listPage(ctx, TABLE, where, page, BASE);
    },
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const { rows } = await ctx.tx.query<{ event: object }>(
      `select ${EVENT_AS_JSON} as event from sandbox.events
        where id = $1 and created > $2 and not is_thin and account is not distinct from $3`,
      [id, ctx.now - RETENTION_SECONDS, ctx.account],
    );
    if (!rows[0]) throw resourceMissing('event', id);
    return rows[0].event;
  }),

  route('GET', '/v2/core/events/:id', parameters({}), async (ctx, _params, { id = '' }) => {
    const { rows } = await ctx.tx.query<{ event: object; detail: object | null }>(
      'select payload::json as event, detail from sandbox.events where id = $1 and created > $2 and is_thin',
      [id, ctx.now - RETENTION_SECONDS],
    );
    const [found] = rows;
    if (!found) throw resourceMissing('event', id);
    return found.detail ? { ...found.event, data: found.detail } : found.event;
  }),
];

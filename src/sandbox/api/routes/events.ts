/** /v1/events: what happened in the last 30 days. */

import { noSuch } from '../errors.ts';
import { Conditions, created, pageOf, paging } from '../list.ts';
import { flag, list, optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/events';
const KEPT_SECONDS = 30 * 24 * 60 * 60;

/** The payload as it was sent, but for the number of endpoints that have not accepted it. */
const EVENT_AS_JSON = `(payload::jsonb || jsonb_build_object('pending_webhooks',
  (select count(*) from sandbox.deliveries d where d.event_id = events.id and d.delivered_at is null)))::json`;

const UNDELIVERED = 'exists (select from sandbox.deliveries d where d.event_id = events.id and d.delivered_at is null)';

const TABLE = { from: 'sandbox.events', select: EVENT_AS_JSON, noun: 'event' };

export const eventRoutes: Route[] = [
  route(
    'GET',
    BASE,
    parameters({
      ...paging,
      created,
      type: optional(text),
      types: optional(list(text, 20)),
      delivery_success: optional(flag),
    }),
    (work, { type, types, delivery_success, ...page }) => {
      const where = new Conditions()
        .add((p) => `account is not distinct from ${p}`, work.account)
        .add((p) => `created > ${p}`, work.now - KEPT_SECONDS)
        .add((p) => `type like ${p}`, type?.replaceAll('_', '\\_').replaceAll('*', '%'))
        .add((p) => `type = any(${p})`, types)
        .addMoments(page.created);
      where.texts.push('not is_thin');
      if (delivery_success !== undefined) where.texts.push(delivery_success ? `not ${UNDELIVERED}` : UNDELIVERED);
      return pageOf(work, TABLE, where, page, BASE);
    },
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const { rows } = await work.tx.query<{ shown: object }>(
      `select ${EVENT_AS_JSON} as shown from sandbox.events
        where id = $1 and created > $2 and not is_thin and account is not distinct from $3`,
      [id, work.now - KEPT_SECONDS, work.account],
    );
    if (!rows[0]) throw noSuch('event', id);
    return rows[0].shown;
  }),

  route('GET', '/v2/core/events/:id', parameters({}), async (work, _given, { id = '' }) => {
    const { rows } = await work.tx.query<{ event: object; detail: object | null }>(
      'select payload::json as event, detail from sandbox.events where id = $1 and created > $2 and is_thin',
      [id, work.now - KEPT_SECONDS],
    );
    const [found] = rows;
    if (!found) throw noSuch('event', id);
    return found.detail ? { ...found.event, data: found.detail } : found.event;
  }),
];

import { createApiKey } from '#contract/app/programs/api-keys.ts';
import type { V1Call } from '#contract/v1/v1-call.ts';
import { type Scope, scopes } from '#domain/accounts/api-keys.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';
import { newPromoCode, promoForm } from './promo-codes.ts';
import { shareCapacity } from './share-capacity.ts';
import type { TestApp } from './test-app.ts';

interface KeyOptions {
  scopes?: readonly Scope[];
  onlyEventIds?: string[] | null;
}

export async function newApiKey(visitor: Visitor, options: KeyOptions = {}): Promise<string> {
  const { scopes: given = scopes, onlyEventIds = null } = options;
  const form = { name: 'Turnstile', scopes: [...given], onlyEventIds, days: 365 as const };
  return expectOk(await visitor.call(createApiKey, form)).key;
}

export type V1Body = Record<string, unknown> & {
  data: Record<string, unknown>[];
  next_cursor: string | null;
  error: { code: string; message: string; params: Record<string, unknown> };
};

/** Of what calls change: of its second ticket type, of a new promo code and of a new shared capacity; and an address to call. */
export async function moreIds(app: Pick<TestApp, 'db'>, event: { visitor: Visitor; eventId: string }) {
  await shareCapacity(event, { name: 'Hall', capacity: 90, units: { Balcony: 1 } });
  const { id } = await app.db
    .selectFrom('ticketTypes')
    .where('eventId', '=', event.eventId)
    .where('name', '=', 'Balcony')
    .select('id')
    .executeTakeFirstOrThrow();
  const capacity = await app.db
    .selectFrom('sharedCapacities')
    .where('eventId', '=', event.eventId)
    .select('id')
    .executeTakeFirstOrThrow();
  const promoCodeId = await newPromoCode(event, promoForm('FRIENDS'));
  return {
    ticket_type_id: id,
    shared_capacity_id: capacity.id,
    promo_code_id: promoCodeId,
    webhook_url: 'http://127.0.0.1:9/hooks',
  };
}

/** What its example in the reference sends, and the ids that it needs: those that its path names, and the event of a report. */
export function sampleFields({ path, example = {} }: Pick<V1Call, 'path' | 'example'>, ids: Record<string, string>) {
  const needed = Object.entries(ids).filter(
    ([name]) => path.includes(`:${name}`) || (name === 'event_id' && path.includes('/reports/')),
  );
  const text = JSON.stringify(example).replace(
    /\$([A-Z_]+)/g,
    (_, name: string) => ids[name.toLowerCase()] ?? 'unknown',
  );
  const sent: Record<string, unknown> = JSON.parse(text);
  return { ...sent, ...Object.fromEntries(needed) };
}

/** Calls as a program does. @param fields of the path; the others are sent in the query or the body */
export async function callV1(
  app: Pick<TestApp, 'server'>,
  key: string | null,
  { method, path }: Pick<V1Call, 'method' | 'path'>,
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  const others = { ...fields };
  const url = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = others[name] ?? 'unknown';
    delete others[name];
    return encodeURIComponent(String(value));
  });
  const query = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]));
  const {
    statusCode,
    headers: answered,
    body,
  } = await app.server.inject({
    method,
    url,
    headers: { ...headers, ...(key !== null && { authorization: `Bearer ${key}` }) },
    ...(method === 'GET' ? { query } : { payload: others }),
  });
  const parsed: V1Body = JSON.parse(body);
  return { status: statusCode, headers: answered, text: body, body: parsed };
}

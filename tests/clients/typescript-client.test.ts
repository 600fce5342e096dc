/** The TypeScript client against the product. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newApiKey } from '#tests/support/api-keys.ts';
import { buyTickets, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { createHandstamp, type Handstamp, HandstampError } from '../../clients/typescript/src/client.ts';

let app: TestApp;
let handstamp: Handstamp;
let event_id: string;
let requests: Request[];
withTestApp((opened) => {
  app = opened;
});
beforeAll(async () => {
  const { eventId, visitor } = await eventOnSale(app);
  for (const quantity of [2, 1, 2]) await buyTickets(app, eventId, generalAdmission(quantity));
  event_id = eventId;
  requests = [];
  handstamp = createHandstamp({
    url: app.publicUrl,
    key: await newApiKey(visitor),
    fetch(request) {
      requests.push(request);
      return fetch(request);
    },
  });
});

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('The TypeScript client', () => {
  it('walks events, orders and tickets, page after page [API-11]', async () => {
    const events = await collected(handstamp.each('/events'));
    const orders = await collected(handstamp.each('/orders', { event_id, limit: 2 }));
    const tickets = await collected(handstamp.each('/tickets', { event_id, limit: 2 }));

    expect(events.map(({ id, title }) => ({ id, title }))).toEqual([{ id: event_id, title: 'Basement Brass' }]);
    expect(orders.map(({ total_cents }) => total_cents)).toHaveLength(3);
    expect(new Set(tickets.map(({ id }) => id)).size).toBe(5);
    expect(requests.filter(({ url }) => url.includes('/tickets?')).length).toBe(3);
  });

  it('reads one, with its fields by name', async () => {
    const { data } = await handstamp.get('/tickets', { event_id, limit: 1 });
    const [{ id: ticket_id, order_id } = { id: '', order_id: '' }] = data;

    expect(await handstamp.get('/tickets/{ticket_id}', { ticket_id })).toEqual(data[0]);
    expect(await handstamp.get('/orders/{order_id}', { order_id })).toMatchObject({ id: order_id, event_id });
    expect(await handstamp.get('/organization')).toMatchObject({ key: { name: 'Turnstile' } });
  });

  it('checks a guest in, and throws what denies a second time by its code', async () => {
    const [ticket] = (await handstamp.get('/tickets', { event_id, limit: 1 })).data;
    const ticket_id = ticket?.id ?? '';

    const first = await handstamp.post('/tickets/{ticket_id}/check_in', { ticket_id });
    // A scanner that fires twice gets the first answer again.
    await app.advance({ minutes: 1 });
    const second: unknown = await handstamp
      .post('/tickets/{ticket_id}/check_in', { ticket_id })
      .catch((error) => error);

    expect(first).toMatchObject({ result: 'admitted', ticket_id });
    expect(second).toBeInstanceOf(HandstampError);
    expect(second).toMatchObject({ code: 'check-in.already-in', status: 409, requestId: expect.any(String) });
    const keys = requests
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(2);
  });

  it('sends the idempotency key that the program chooses', async () => {
    const idempotencyKey = 'turnstile-7';
    await handstamp
      .post('/tickets/{ticket_id}/check_in', { ticket_id: 'unknown' }, { idempotencyKey })
      .catch(() => undefined);

    expect(requests.at(-1)?.headers.get('idempotency-key')).toBe(idempotencyKey);
  });

  it.each([
    ['a key that is none', { key: 'hs_test_none' }, 'auth.invalid-key', 401],
    ['what does not exist', {}, 'event.not-found', 404],
  ])('throws an error for %s', async (_case, options, code, status) => {
    const { key } = options as { key?: string };
    const caller = key ? createHandstamp({ url: `${app.publicUrl}/`, key }) : handstamp;

    const error: unknown = await caller.get('/events/{event_id}', { event_id: 'none' }).catch((thrown) => thrown);

    expect(error).toMatchObject({ name: 'HandstampError', code, status });
  });

  it('ends a walk when the program stops it', async () => {
    const before = requests.length;
    for await (const { id } of handstamp.each('/orders', { limit: 1 })) {
      expect(id).toEqual(expect.any(String));
      break;
    }

    expect(requests.length).toBe(before + 1);
  });
});

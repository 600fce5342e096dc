/** What programs read, and the walks through lists while people buy. */
import { describe, expect, it } from 'vitest';
import { listEvents, readEvent } from '#contract/v1/events.ts';
import { listOrders, readOrder } from '#contract/v1/orders.ts';
import { readOrganization } from '#contract/v1/organization.ts';
import { listTicketTypes } from '#contract/v1/ticket-types.ts';
import { checkInTicket, listTickets, readTicket } from '#contract/v1/tickets.ts';
import type { V1Call } from '#contract/v1/v1-call.ts';
import { newId } from '#server/platform/ids.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { devicesAt } from '#tests/support/check-in-devices.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { buyTickets, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

async function setUp() {
  const event = await eventOnSale(app);
  const key = await newApiKey(event.visitor);
  const call = (one: V1Call, fields?: Record<string, string>) => callV1(app, key, one, fields);
  return { ...event, key, call };
}

/** Ids of all pages. */
async function walk(
  read: (fields: Record<string, string>) => ReturnType<typeof callV1>,
  limit = 2,
  during = async () => {},
) {
  const ids: unknown[] = [];
  let after: string | null = null;
  do {
    const { body } = await read({ limit: String(limit), ...(after !== null && { after }) });
    ids.push(...body.data.map(({ id }) => id));
    after = body.next_cursor;
    await during();
  } while (after !== null);
  return ids;
}

describe('A program', () => {
  it('reads the organization of its key, and what the key may do [API-1]', async () => {
    const { call } = await setUp();

    const { body } = await call(readOrganization);

    expect(body).toMatchObject({ name: 'Cooperage Nights', key: { name: 'Turnstile', event_ids: null } });
  });

  it('reads events with instants, a time zone and cents [API-1]', async () => {
    const { call, eventId } = await setUp();
    await buyTickets(app, eventId, generalAdmission(3));

    const { body: event } = await call(readEvent, { event_id: eventId });
    const { body: types } = await call(listTicketTypes, { event_id: eventId });

    expect(event).toMatchObject({
      id: eventId,
      status: 'on_sale',
      time_zone: 'America/New_York',
      starts_at: expect.stringMatching(/^\d{4}-.*Z$/),
      capacity: 110,
      tickets_sold: 3,
      url: `${app.publicUrl}/payment/${eventId}`,
    });
    expect(types.data).toMatchObject([
      { name: 'General admission', price_cents: 24_00, sold: 3 },
      { name: 'Balcony', price_cents: 38_50, sold: 0 },
    ]);
  });

  it('reads an order with its lines and tickets', async () => {
    const { call, eventId } = await setUp();
    await buyTickets(app, eventId, generalAdmission(2), 'walter@example.com');

    const { body: orders } = await call(listOrders, { event_id: eventId });
    const { body: tickets } = await call(listTickets, { event_id: eventId });
    const [order] = orders.data;
    const [ticket] = tickets.data;

    expect(order).toMatchObject({
      event_id: eventId,
      state: 'paid',
      buyer: { email: 'walter@example.com' },
      total_cents: 48_00,
      discount_cents: 0,
      lines: [{ name: 'General admission', quantity: 2, unit_price_cents: 24_00, source: 'list', promo_code: null }],
    });
    expect(ticket).toMatchObject({ order_id: order?.['id'], state: 'valid', price_cents: 24_00, checked_in_at: null });
    expect((await call(readOrder, { order_id: String(order?.['id']) })).body).toEqual(order);
    expect((await call(readTicket, { ticket_id: String(ticket?.['id']) })).body).toEqual(ticket);
  });

  it('walks every event once, drafts and equal times included [API-2]', async () => {
    const { call, visitor, eventId } = await setUp();
    const drafts = [];
    for (let count = 0; count < 4; count++) drafts.push((await newDraft(app, { visitor })).eventId);
    await app.db.updateTable('events').set({ createdAt: app.now() }).where('id', 'in', drafts).execute();

    const ids = await walk((page) => call(listEvents, page));

    expect(ids.toSorted()).toEqual([eventId, ...drafts].toSorted());
  });

  it('misses no order and no ticket that existed throughout a walk [API-2]', async () => {
    const { call, eventId } = await setUp();
    for (let count = 0; count < 5; count++)
      await buyTickets(app, eventId, generalAdmission(1), `a${count}@example.com`);
    const before = await ticketIds(eventId);
    const buy = async () => void (await buyTickets(app, eventId, generalAdmission(1), `${newId()}@example.com`));
    let left = 3;
    const during = async () => (left-- > 0 ? buy() : undefined);

    const walked = await walk((page) => call(listTickets, { ...page, event_id: eventId }), 2, during);
    const orders = await walk((page) => call(listOrders, { ...page, event_id: eventId }), 3);

    expect(walked).toEqual(expect.arrayContaining(before));
    expect(new Set(walked).size).toBe(walked.length);
    expect(orders).toHaveLength(8);
  });

  it.each([
    ['an invented text', 'abc'],
    ['no text', ''],
    ['a list of another kind', Buffer.from(JSON.stringify(['tickets', newId()])).toString('base64url')],
    ['no id', Buffer.from(JSON.stringify(['orders', "' or 1=1"])).toString('base64url')],
  ])('is refused a cursor of %s [API-2]', async (_what, after) => {
    const { call } = await setUp();

    const { status, body } = await call(listOrders, { after });

    expect([status, body.error.code]).toEqual([400, 'input.invalid-cursor']);
  });

  it.each(['0', '101', '1.5', 'many', '-1', ''])('is refused a limit of %s [API-2]', async (limit) => {
    const { call } = await setUp();

    const { status, body } = await call(listEvents, { limit });

    expect([status, body.error.code, body.error.params['field']]).toEqual([400, 'form.invalid', 'limit']);
  });

  it('is answered errors with a code, a text and the id of the request [API-3]', async () => {
    const { call } = await setUp();

    const { status, body } = await call(readEvent, { event_id: 'AAAAAAAAAAAAAAAA' });

    expect(status).toBe(404);
    expect(body).toEqual({
      error: { code: 'event.not-found', message: expect.any(String), params: {} },
      request_id: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  it('checks a ticket in once, as a device under the name of its key', async () => {
    const { call, eventId } = await setUp();
    await buyTickets(app, eventId, generalAdmission(1));
    const [ticket_id = ''] = await ticketIds(eventId);
    const scan_id = newId();

    const first = await call(checkInTicket, { ticket_id, scan_id });
    const repeated = await call(checkInTicket, { ticket_id, scan_id });
    const atAnotherGate = await call(checkInTicket, { ticket_id, scan_id: newId() });
    const second = await call(checkInTicket, { ticket_id });

    expect(first.body).toMatchObject({ ticket_id, event_id: eventId, result: 'admitted' });
    expect(repeated.body).toEqual(first.body);
    for (const { status, body } of [atAnotherGate, second])
      expect([status, body.error.code]).toEqual([409, 'check-in.already-in']);
    expect(second.body.error.params['device']).toBe('API: Turnstile');
    expect((await devicesAt(app, eventId)).map(({ name }) => name)).toContain('API: Turnstile');
    expect((await call(readTicket, { ticket_id })).body).toMatchObject({
      state: 'scanned',
      checked_in_at: expect.any(String),
    });
  });
});

const ticketIds = async (eventId: string) =>
  (await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').orderBy('id').execute()).map(
    ({ id }) => id,
  );

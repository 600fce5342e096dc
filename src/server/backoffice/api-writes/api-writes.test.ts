/** What programs change: by the rules of the screens, in the words of the API. */
import { describe, expect, it } from 'vitest';
import { auditLog } from '#contract/app/audit.ts';
import { eventRows } from '#contract/app/records/workspace.ts';
import { editPromoCode } from '#contract/app/sales/promo-codes.ts';
import { createSharedCapacity, listSharedCapacities, updateSharedCapacity } from '#contract/v1/capacities.ts';
import { createComps } from '#contract/v1/comps.ts';
import { createEvent, publishEvent, updateEvent } from '#contract/v1/event-writes.ts';
import { readEvent } from '#contract/v1/events.ts';
import { createPromoCode, listPromoCodes, updatePromoCode } from '#contract/v1/promo-codes.ts';
import { createTicketType, listTicketTypes, updateTicketType } from '#contract/v1/ticket-types.ts';
import type { V1Call } from '#contract/v1/v1-call.ts';
import { callV1, newApiKey, sampleFields } from '#tests/support/api-keys.ts';
import {
  buyTickets,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  onboardedOrganizer,
} from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { raceFor } from '#tests/support/race.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const draft = sampleFields(createEvent, {});
const [generalType] = draft['ticket_types'] as object[];

async function program<Organizer extends { visitor: Parameters<typeof newApiKey>[0] }>(organizer: Organizer) {
  const key = await newApiKey(organizer.visitor);
  const call = (one: V1Call, fields?: Record<string, unknown>, headers?: Record<string, string>) =>
    callV1(app, key, one, fields, headers);
  return { ...organizer, call };
}

const newProgram = async () => program(await onboardedOrganizer(app));

async function programOnSale() {
  const event = await program(await eventOnSale(app));
  const { body } = await event.call(listTicketTypes, { event_id: event.eventId });
  const [general = '', balcony = ''] = body.data.map(({ id }) => String(id));
  return { ...event, event_id: event.eventId, general, balcony };
}

describe('A program', () => {
  it('creates a draft, which its organizer finds on the home screen [API-12]', async () => {
    const { call, visitor } = await newProgram();

    const { status, body } = await call(createEvent, draft);
    const home = expectOk(await visitor.call(eventRows, {}));

    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'draft',
      title: 'Basement Brass',
      starts_at: '2031-06-15T00:00:00.000Z',
      venue: { city: 'Brooklyn', latitude: 40.71, longitude: -73.956 },
      capacity: 100,
      page_version: 0,
      published_at: null,
    });
    expect(home.rows).toMatchObject([{ eventId: body['id'], title: 'Basement Brass', status: 'draft' }]);
  });

  it('is named in the activity of its organization', async () => {
    const { call, visitor } = await newProgram();

    const { body } = await call(createEvent, draft);
    const { entries } = expectOk(await visitor.call(auditLog, {}));

    expect(entries).toContainEqual(
      expect.objectContaining({
        action: 'create-event',
        actorKind: 'key',
        actor: 'API: Turnstile',
        event: { eventId: body['id'], title: 'Basement Brass' },
      }),
    );
  });

  it('creates an event with all that a form has [API-12]', async () => {
    const { call } = await newProgram();
    const all = {
      ...draft,
      subtitle: 'Late show',
      is_listed: false,
      max_per_order: 6,
      sales_start_at: '2031-06-01T12:00:00Z',
      buyers_per_minute: 30,
      check_in_opens_at: '2031-06-14T23:00:00Z',
      venue: { ...(draft['venue'] as object), name: 'The Cellar', latitude: 40.5, longitude: -73.5 },
      ticket_types: [
        { ...generalType, has_named_price: true, suggested_price_cents: 30_00, max_per_order: 4 },
        { ...generalType, name: 'Later', opens_after: 'General admission', is_hidden: true, access: 'alone' },
      ],
    };

    const { body } = await call(createEvent, all);
    const { body: types } = await call(listTicketTypes, { event_id: body['id'] });

    expect(body).toMatchObject({
      subtitle: 'Late show',
      is_listed: false,
      max_per_order: 6,
      sales_start_at: '2031-06-01T12:00:00.000Z',
      buyers_per_minute: 30,
      check_in_opens_at: '2031-06-14T23:00:00.000Z',
      check_in_closes_at: null,
      venue: { name: 'The Cellar', latitude: 40.5, longitude: -73.5 },
    });
    expect(types.data).toMatchObject([
      { price_cents: 24_00, has_named_price: true, suggested_price_cents: 30_00, max_per_order: 4 },
      { name: 'Later', opens_after_id: types.data[0]?.['id'], is_hidden: true, access: 'alone' },
    ]);
  });

  const venue = draft['venue'] as object;
  it.each<[string, object]>([
    ['title', { title: '' }],
    ['title', { title: undefined }],
    ['starts_at', { starts_at: 'tomorrow' }],
    ['ends_at', { ends_at: '2031-06-14T19:00:00-04:00' }],
    ['time_zone', { time_zone: 'Brooklyn' }],
    ['venue.state', { venue: { ...venue, state: 'XX' } }],
    ['venue.postal_code', { venue: { ...venue, postal_code: '#' } }],
    ['venue.longitude', { venue: { ...venue, latitude: 40 } }],
    ['venue.country', { venue: { ...venue, country: 'US' } }],
    ['sales_start_at', { buyers_per_minute: 5 }],
    ['ticket_types', { ticket_types: [] }],
    ['ticket_types.0.price_cents', { ticket_types: [{ ...generalType, price_cents: '2400' }] }],
    ['ticket_types.0.price_cents', { ticket_types: [{ ...generalType, price_cents: 24.5 }] }],
    ['ticket_types.0.price_cents', { ticket_types: [{ ...generalType, price_cents: 1 }] }],
    ['ticket_types.0.capacity', { ticket_types: [{ ...generalType, capacity: 0 }] }],
    ['ticket_types.1.name', { ticket_types: [generalType, generalType] }],
  ])('is answered which field is wrong: %s [API-12]', async (field, change) => {
    const { call } = await newProgram();

    const { status, body } = await call(createEvent, { ...draft, ...change });

    expect([status, body.error.code, body.error.params['field']]).toEqual([400, 'form.invalid', field]);
  });

  it('changes the fields that it sends, and no others [API-12]', async () => {
    const { call, event_id } = await programOnSale();
    const { body: before } = await call(readEvent, { event_id });

    const { status, body } = await call(updateEvent, {
      event_id,
      title: 'Attic Brass',
      subtitle: 'Late show',
      venue: { postal_code: '10001' },
    });
    const { body: cleared } = await call(updateEvent, { event_id, subtitle: null });

    expect(status).toBe(200);
    expect(body['venue']).toMatchObject({ street: '38 Withers St', postal_code: '10001' });
    expect(body['venue']).not.toMatchObject({ latitude: 40.712 });
    const { title: _title, subtitle: _subtitle, venue: _venue, page_version: _version, ...others } = before;
    expect(body).toMatchObject({ ...others, title: 'Attic Brass', subtitle: 'Late show' });
    expect(cleared).toMatchObject({ title: 'Attic Brass', subtitle: null });
  });

  it('emails buyers when it moves an event [API-12]', async () => {
    const { call, event_id } = await programOnSale();
    await buyTickets(app, event_id, generalAdmission(1), 'moved@example.com');

    const { status } = await call(updateEvent, {
      event_id,
      ends_at: new Date(app.now().getTime() + 30 * 3_600_000).toISOString(),
    });

    expect(status).toBe(200);
    await app.settle();
    expect((await emailsTo(app, 'moved@example.com')).map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/Basement Brass/),
    );
  });

  it('changes only the page version that it has read, if it says so [API-12]', async () => {
    const { call, event_id } = await programOnSale();
    const { body } = await call(readEvent, { event_id });
    const version = `"${Number(body['page_version'])}"`;

    const first = await call(updateEvent, { event_id, title: 'Attic Brass' }, { 'if-match': version });
    const second = await call(updateEvent, { event_id, title: 'Roof Brass' }, { 'if-match': version });
    const any = await call(updateEvent, { event_id, title: 'Yard Brass' }, { 'if-match': '*' });
    const wrong = await call(updateEvent, { event_id, title: 'Roof Brass' }, { 'if-match': 'newest' });

    expect([first.status, any.status]).toEqual([200, 200]);
    expect([second.status, second.body.error]).toEqual([
      412,
      expect.objectContaining({ code: 'event.version-changed', params: { version: first.body['page_version'] } }),
    ]);
    expect([wrong.status, wrong.body.error.params['field']]).toEqual([400, 'If-Match']);
    expect((await call(readEvent, { event_id })).body['title']).toBe('Yard Brass');
  });

  it('publishes a draft, once [API-12]', async () => {
    const { call } = await newProgram();
    const { body: created } = await call(createEvent, draft);
    const event_id = created['id'];

    const first = await call(publishEvent, { event_id });
    const second = await call(publishEvent, { event_id });

    expect([first.status, first.body['status'], first.body['page_version']]).toEqual([200, 'on_sale', 1]);
    expect(second.body).toEqual(first.body);
  });

  it('does not publish what starts in the past, as a member does not [API-12]', async () => {
    const { call } = await newProgram();
    const past = { starts_at: '2020-06-14T20:00:00Z', ends_at: '2020-06-14T23:00:00Z' };
    const { body: created } = await call(createEvent, { ...draft, ...past });

    const { status, body } = await call(publishEvent, { event_id: created['id'] });

    expect([status, body.error.code]).toEqual([409, 'event.start-in-past']);
  });

  it('adds and changes ticket types [API-12]', async () => {
    const { call, event_id, general } = await programOnSale();

    const added = await call(createTicketType, {
      event_id,
      name: 'Gallery',
      description: 'Standing',
      price_cents: 10_05,
      capacity: 5,
    });
    const ticket_type_id = added.body['id'];
    const changed = await call(updateTicketType, { event_id, ticket_type_id, price_cents: 12_00, max_per_order: 2 });
    const cleared = await call(updateTicketType, { event_id, ticket_type_id, max_per_order: null });
    const { body } = await call(listTicketTypes, { event_id });

    expect([added.status, added.body['price_cents']]).toEqual([200, 10_05]);
    expect(changed.body).toMatchObject({ id: ticket_type_id, name: 'Gallery', price_cents: 12_00, max_per_order: 2 });
    expect(cleared.body).toMatchObject({ price_cents: 12_00, max_per_order: null });
    expect(body.data).toMatchObject([
      { id: general, price_cents: 24_00 },
      { name: 'Balcony', price_cents: 38_50 },
      cleared.body,
    ]);
  });

  it.each<[string, object]>([
    ['price_cents', { price_cents: 1 }],
    ['name', { name: '' }],
    ['name', { name: 'balcony' }],
    ['capacity', { capacity: 0 }],
    ['suggested_price_cents', { has_named_price: true, suggested_price_cents: 5_00 }],
    ['sales_until', { sales_from: '2031-01-02T00:00:00Z', sales_until: '2031-01-01T00:00:00Z' }],
  ])('is answered which field of a ticket type is wrong: %s [API-12]', async (field, change) => {
    const { call, event_id, general: ticket_type_id } = await programOnSale();

    const { status, body } = await call(updateTicketType, { event_id, ticket_type_id, ...change });

    expect([status, body.error.code, body.error.params['field']]).toEqual([400, 'form.invalid', field]);
    expect(body.error.message).not.toMatch(/NaN/);
  });

  it('can not make a ticket type smaller than what is sold [API-12]', async () => {
    const { call, event_id, general: ticket_type_id } = await programOnSale();
    await buyTickets(app, event_id, generalAdmission(3));

    const { status, body } = await call(updateTicketType, { event_id, ticket_type_id, capacity: 2 });

    expect([status, body.error.code, body.error.params['reserved']]).toEqual([409, 'edit.quantity-below-sold', 3]);
  });

  it('shares a capacity between ticket types [API-12]', async () => {
    const { call, event_id, general, balcony } = await programOnSale();
    const both = [
      { ticket_type_id: general, units: 1 },
      { ticket_type_id: balcony, units: 2 },
    ];

    const created = await call(createSharedCapacity, { event_id, name: 'Seats', capacity: 50, ticket_types: both });
    const shared_capacity_id = created.body['id'];
    const changed = await call(updateSharedCapacity, { event_id, shared_capacity_id, ticket_types: both.slice(0, 1) });
    const other = await call(createSharedCapacity, { event_id, name: 'seats', capacity: 5, ticket_types: both });
    const { body } = await call(listSharedCapacities, { event_id });

    expect(created.body).toMatchObject({ name: 'Seats', capacity: 50, reserved: 0, ticket_types: both });
    expect(changed.body).toMatchObject({ id: shared_capacity_id, capacity: 50, ticket_types: both.slice(0, 1) });
    expect([other.status, other.body.error.params['field']]).toEqual([400, 'name']);
    expect(body.data).toEqual([changed.body]);
  });

  it('adds, changes and ends promo codes [API-12]', async () => {
    const { call, event_id, general } = await programOnSale();

    const added = await call(createPromoCode, {
      event_id,
      code: 'brass5',
      kind: 'amount',
      amount_cents: 5_50,
      ticket_type_ids: [general],
    });
    const promo_code_id = added.body['id'];
    const changed = await call(updatePromoCode, { event_id, promo_code_id, kind: 'percent', percent: 10, max_uses: 3 });
    const ended = await call(updatePromoCode, { event_id, promo_code_id, is_ended: true });
    const late = await call(updatePromoCode, { event_id, promo_code_id, max_uses: 4 });
    const { body } = await call(listPromoCodes, { event_id });

    expect(added.body).toMatchObject({
      code: 'BRASS5',
      amount_cents: 5_50,
      percent: null,
      ticket_type_ids: [general],
      uses: 0,
    });
    expect(changed.body).toMatchObject({
      id: promo_code_id,
      percent: 10,
      amount_cents: null,
      ticket_type_ids: [general],
      max_uses: 3,
    });
    expect(ended.body).toMatchObject({ is_ended: true });
    expect([late.status, late.body.error.code]).toEqual([409, 'promo.ended']);
    expect(body.data).toEqual([ended.body]);
  });

  it('keeps what a member changes of a promo code at the same moment [API-12]', async () => {
    const { call, event_id, visitor } = await programOnSale();
    const promo_code_id = await newPromoCode({ visitor, eventId: event_id }, promoForm('BRASS'));

    await raceFor<unknown>(app, 'events', event_id, [
      () =>
        visitor.call(editPromoCode, {
          eventId: event_id,
          promoCodeId: promo_code_id,
          ...promoForm('BRASS', { value: 5 }),
        }),
      () => call(updatePromoCode, { event_id, promo_code_id, max_uses: 100 }),
    ]);

    const { body } = await call(listPromoCodes, { event_id });
    expect(body.data).toMatchObject([{ percent: 5, max_uses: 100 }]);
  });

  it.each<[string, object]>([
    ['percent', { kind: 'percent', percent: 101 }],
    ['percent', { percent: undefined }],
    ['amount_cents', { amount_cents: 100 }],
    ['percent', { kind: 'fixed', amount_cents: 10_00 }],
    ['amount_cents', { kind: 'amount', percent: undefined, amount_cents: 0 }],
    ['code', { code: '!' }],
    ['max_uses', { max_uses: 0 }],
    ['valid_until', { valid_from: '2031-01-02T00:00:00Z', valid_until: '2031-01-01T00:00:00Z' }],
  ])('is answered which field of a promo code is wrong: %s [API-12]', async (field, change) => {
    const { call, event_id } = await programOnSale();

    const { status, body } = await call(createPromoCode, {
      event_id,
      code: 'BRASS',
      kind: 'percent',
      percent: 10,
      ...change,
    });

    expect([status, body.error.code, body.error.params['field']]).toEqual([400, 'form.invalid', field]);
  });

  it('adds guests at no charge, who are emailed their tickets [API-12]', async () => {
    const { call, event_id, general } = await programOnSale();
    const guests = [
      { ticket_type_id: general, quantity: 2, email: 'grace@example.com', name: 'Grace' },
      { ticket_type_id: general, quantity: 1, name: 'Ada', door_note: 'Front row' },
    ];

    const { status, body } = await call(createComps, { event_id, guests });
    await app.settle();

    expect([status, body['event_id']]).toEqual([200, event_id]);
    expect(body['tickets']).toHaveLength(3);
    expect(await emailsTo(app, 'grace@example.com')).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['guests.0.quantity', { quantity: 0 }],
    ['guests.0.email', { email: 'grace' }],
    ['guests.0', { email: undefined, name: undefined }],
  ])('is answered which field of a guest is wrong: %s [API-12]', async (field, change) => {
    const { call, event_id, general } = await programOnSale();
    const guest = { ticket_type_id: general, quantity: 1, email: 'grace@example.com', ...change };

    const { status, body } = await call(createComps, { event_id, guests: [guest] });

    expect([status, body.error.code, body.error.params['field']]).toEqual([400, 'form.invalid', field]);
  });
});

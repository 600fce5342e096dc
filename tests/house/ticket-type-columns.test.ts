/** A column of a ticket type passes through forms, edits, copies, series and the API. Each of these must know all columns. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editTickets, eventTickets } from '#contract/app/events.ts';
import { duplicateEvent } from '#contract/app/sales/event-life.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type { TicketRow } from '#contract/forms/ticket-types.ts';
import { createTicketType, listTicketTypes, updateTicketType } from '#contract/v1/ticket-types.ts';
import { TICKET_TYPE_COLUMNS } from '#server/events/event-columns.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { editDates, formOfDate, makeSeries, weeklyDays } from '#tests/support/edited-series.ts';
import { eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { repository } from './planted-tree.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Column = (typeof TICKET_TYPE_COLUMNS)[number];

/** What no form edits. */
const OTHER_COLUMNS = [
  'eventId',
  'id',
  'reserved',
  'available',
  'isPublished',
  'removedAt',
  'sharesCapacity',
  'openedAt',
] as const;

const PLAIN = { ticketName: 'Gallery', ticketDescription: 'Seated', ticketPrice: '25', ticketQuantity: '40' };

const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const [EARLIER, LATER] = [hoursAhead(1), hoursAhead(2)];

/** Other than a new type has, in every field. */
const FULL: Required<Omit<TicketRow, 'ticketId'>> = {
  ticketName: 'Gallery II',
  ticketDescription: 'Standing',
  ticketPrice: '26',
  ticketQuantity: '41',
  salesFrom: EARLIER,
  salesUntil: LATER,
  minPerOrder: '2',
  maxPerOrder: '6',
  opensAfter: 'Balcony',
  isHidden: true,
  hasNamedPrice: true,
  suggestedPrice: '30',
  isAddOn: true,
  access: 'companion',
};

type ApiRow = Omit<InputOf<typeof updateTicketType>, 'event_id' | 'ticket_type_id'>;

const FULL_BY_API: Required<ApiRow> = {
  name: 'Gallery II',
  description: 'Standing',
  price_cents: 26_00,
  capacity: 41,
  has_named_price: true,
  suggested_price_cents: 30_00,
  is_hidden: true,
  is_add_on: true,
  access: 'companion',
  opens_after: 'Balcony',
  sales_from: EARLIER,
  sales_until: LATER,
  max_per_order: 6,
  min_per_order: 2,
};

type ApiReply = ReplyOf<typeof listTicketTypes>['data'][number];

/** By the column that it shows. */
const REPLY_FIELDS: Record<Exclude<Column, 'position'>, keyof ApiReply> = {
  name: 'name',
  description: 'description',
  priceCents: 'price_cents',
  quantity: 'capacity',
  salesFrom: 'sales_from',
  salesUntil: 'sales_until',
  minPerOrder: 'min_per_order',
  maxPerOrder: 'max_per_order',
  opensAfter: 'opens_after_id',
  isHidden: 'is_hidden',
  hasNamedPrice: 'has_named_price',
  suggestedCents: 'suggested_price_cents',
  isAddOn: 'is_add_on',
  access: 'access',
};

const typesOf = (eventId: string) =>
  app.db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .where('removedAt', 'is', null)
    .selectAll()
    .orderBy('position')
    .execute();

/** Its columns, with the name of the type that it waits for. */
async function galleryOf(eventId: string) {
  const types = await typesOf(eventId);
  const gallery = types.find(({ name }) => name.startsWith('Gallery'));
  if (!gallery) throw new Error('there is no gallery');
  const awaited = types.find(({ id }) => id === gallery.opensAfter);
  return Object.fromEntries(
    TICKET_TYPE_COLUMNS.map((column) => [column, column === 'opensAfter' ? (awaited?.name ?? null) : gallery[column]]),
  );
}

const differing = (one: Record<string, unknown>, other: Record<string, unknown>) =>
  TICKET_TYPE_COLUMNS.filter((column) => JSON.stringify(one[column]) !== JSON.stringify(other[column]));

const ALL_BUT_ORDER = TICKET_TYPE_COLUMNS.filter((column) => column !== 'position');

/** On sale, with a plain third type. */
async function withGallery() {
  const seller = await eventOnSale(app);
  const edit = async (change: (rows: TicketRow[]) => TicketRow[]) => {
    const { tickets } = await formOfDate(seller, app, seller.eventId);
    expectOk(await seller.visitor.call(editTickets, { eventId: seller.eventId, tickets: change(tickets) }));
  };
  await edit((rows) => [...rows, PLAIN]);
  return { ...seller, edit };
}

const withFull = (rows: readonly TicketRow[]): TicketRow[] =>
  rows.map((row) => (row.ticketName === PLAIN.ticketName ? { ...row, ...FULL } : row));

describe('every column of a ticket type', () => {
  it('is edited by a form, or named here', async () => {
    const { eventId } = await withGallery();
    const [row = {}] = await typesOf(eventId);
    expect(Object.keys(row).toSorted()).toEqual([...TICKET_TYPE_COLUMNS, ...OTHER_COLUMNS].toSorted());
  });

  it('is written by the form, and kept by an edit that omits it', async () => {
    const { eventId, edit } = await withGallery();
    const plain = await galleryOf(eventId);

    await edit(withFull);

    const full = await galleryOf(eventId);
    expect(differing(plain, full)).toEqual(ALL_BUT_ORDER);
    await edit((rows) => rows);
    expect(differing(await galleryOf(eventId), full)).toEqual([]);
  });

  it('is shown on the *Tickets* page', async () => {
    const { visitor, eventId, edit } = await withGallery();
    await edit(withFull);

    const { tickets } = expectOk(await visitor.call(eventTickets, { eventId }));

    const gallery = tickets.find(({ ticketName }) => ticketName === FULL.ticketName);
    expect(Object.keys(gallery ?? {})).toEqual(expect.arrayContaining(Object.keys(FULL)));
  });

  it('has a field on its card', async () => {
    const card = await readFile(join(repository, 'src/web/tickets/TicketTypeCard.tsx'), 'utf8');
    const fields = [...card.matchAll(/name=\{name\('(\w+)'\)\}/g)].map(([, field]) => field);
    expect(fields).toEqual(expect.arrayContaining(Object.keys(FULL)));
  });

  it('is copied, with its times moved', async () => {
    const { visitor, eventId, edit } = await withGallery();
    await edit(withFull);

    const { eventId: copyId } = expectOk(await visitor.call(duplicateEvent, { eventId, duplicateId: randomUUID() }));

    expect(differing(await galleryOf(eventId), await galleryOf(copyId))).toEqual(['salesFrom', 'salesUntil']);
  });

  it('follows an edit of another date of a series', async () => {
    const { visitor, eventId } = await withGallery();
    const series = await makeSeries(app, { visitor, eventId }, weeklyDays(app, 2));
    const [, other = ''] = series.dates;
    const before = await galleryOf(other);
    const { tickets } = await formOfDate(series, app, eventId);

    expectOk(await editDates(app, series, eventId, { tickets: withFull(tickets) }));
    await app.settle();

    const after = await galleryOf(other);
    expect(differing(before, after)).toEqual(ALL_BUT_ORDER);
    expect(differing(await galleryOf(eventId), after)).toEqual(['salesFrom', 'salesUntil']);
  });

  it('is written and read by programs', async () => {
    const { visitor, eventId: event_id } = await eventOnSale(app);
    const key = await newApiKey(visitor);
    const required = { name: 'Gallery', description: 'Seated', price_cents: 25_00, capacity: 40 };
    const added = await callV1(app, key, createTicketType, { event_id, ...required });
    const before = await galleryOf(event_id);

    const ticket_type_id = added.body['id'];
    const changed = await callV1(app, key, updateTicketType, { event_id, ticket_type_id, ...FULL_BY_API });

    expect(changed.status).toBe(200);
    const after = await galleryOf(event_id);
    expect(differing(before, after)).toEqual(ALL_BUT_ORDER);
    const { body } = await callV1(app, key, listTicketTypes, { event_id });
    const read = body.data.find(({ id }) => id === ticket_type_id) ?? {};
    for (const [column, field] of Object.entries(REPLY_FIELDS)) {
      const stored = column === 'opensAfter' ? expect.stringMatching(/^[\da-f-]{36}$/) : after[column];
      expect([field, read[field]]).toEqual([field, stored instanceof Date ? stored.toISOString() : stored]);
    }
  });
});

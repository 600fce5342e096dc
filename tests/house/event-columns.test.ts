/** A column of an event passes through forms, edits, copies, series and the API. Each of these must know all columns. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editEvent, editTickets } from '#contract/app/events.ts';
import { duplicateEvent } from '#contract/app/sales/event-life.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { updateEvent } from '#contract/v1/event-writes.ts';
import { readEvent } from '#contract/v1/events.ts';
import { instantOf } from '#domain/local-time.ts';
import { EVENT_COLUMNS } from '#server/events/event-columns.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { editDates, formOfDate, makeSeries } from '#tests/support/edited-series.ts';
import { dayIn, eveningIn } from '#tests/support/local-days.ts';
import { eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Column = (typeof EVENT_COLUMNS)[number];

/** Edited with the ticket types, not with the event. */
const OF_TICKETS = ['allowsRepeatedFreeOrders', 'allowsTicketTransfer'] as const satisfies Column[];
const OF_EVENT = EVENT_COLUMNS.filter((column) => !OF_TICKETS.some((one) => one === column));
const TIMES = ['startsAt', 'endsAt', 'salesStartAt', 'checkInOpensAt', 'checkInClosesAt'] as const satisfies Column[];

const day = (days: number) => dayIn(new Date(), days);
const EVENT_DAY = 90;

/** Its sales have not begun, so that all of it can be edited. */
const PLAIN = {
  ...eveningIn(new Date(), EVENT_DAY),
  salesStart: `${day(40)}T10:00`,
};

type Fields = Required<Omit<InputOf<typeof editEvent>, 'eventId' | 'version' | 'emailsConfirmed' | 'tickets'>>;

/** Other than in the plain event, in every field. */
const FULL = {
  title: 'Attic Brass',
  subtitle: 'Late show',
  description: 'Seven horns under a roof.',
  street: '200 N Spring St',
  city: 'Los Angeles',
  state: 'CA',
  postalCode: '90012',
  timezone: 'America/Los_Angeles',
  startDate_startTime: `${day(EVENT_DAY + 1)}T19:00`,
  endDate_endTime: `${day(EVENT_DAY + 1)}T22:30`,
  participants: '250',
  latitude: 34.0537,
  longitude: -118.2427,
  salesStart: `${day(41)}T09:00`,
  useWaitingRoom: true,
  buyersPerMinute: '60',
  checkInOpens: `${day(EVENT_DAY + 1)}T17:00`,
  checkInCloses: `${day(EVENT_DAY + 1)}T22:00`,
  maxPerOrder: '8',
  venueName: 'The Attic',
  isListed: false,
} satisfies Fields;

function instant(local: string): string {
  const at = instantOf(local, FULL.timezone, 'earlier');
  if (!(at instanceof Date)) throw new Error(`${local}: ${at}`);
  return at.toISOString();
}

type ApiFields = Required<Omit<InputOf<typeof updateEvent>, 'event_id'>>;

const FULL_BY_API: ApiFields = {
  title: FULL.title,
  subtitle: FULL.subtitle,
  description: FULL.description,
  time_zone: FULL.timezone,
  starts_at: instant(FULL.startDate_startTime),
  ends_at: instant(FULL.endDate_endTime),
  is_listed: false,
  max_per_order: 8,
  sales_start_at: instant(FULL.salesStart),
  buyers_per_minute: 60,
  check_in_opens_at: instant(FULL.checkInOpens),
  check_in_closes_at: instant(FULL.checkInCloses),
  venue: {
    name: FULL.venueName,
    street: FULL.street,
    city: FULL.city,
    state: FULL.state,
    postal_code: FULL.postalCode,
    latitude: 34.0537,
    longitude: -118.2427,
  },
};

type ApiReply = ReplyOf<typeof readEvent>;

/** What programs read of a column. The API has no participants. */
const readBy = (event: ApiReply): Record<Exclude<Column, 'participants' | (typeof OF_TICKETS)[number]>, unknown> => ({
  title: event.title,
  subtitle: event.subtitle,
  description: event.description,
  street: event.venue.street,
  city: event.venue.city,
  state: event.venue.state,
  postalCode: event.venue.postal_code,
  timezone: event.time_zone,
  startsAt: event.starts_at,
  endsAt: event.ends_at,
  latitude: event.venue.latitude,
  longitude: event.venue.longitude,
  salesStartAt: event.sales_start_at,
  buyersPerMinute: event.buyers_per_minute,
  checkInOpensAt: event.check_in_opens_at,
  checkInClosesAt: event.check_in_closes_at,
  maxPerOrder: event.max_per_order,
  venueName: event.venue.name,
  isListed: event.is_listed,
});

const eventOf = (eventId: string) =>
  app.db.selectFrom('events').where('id', '=', eventId).select(EVENT_COLUMNS).executeTakeFirstOrThrow();

type Stored = Awaited<ReturnType<typeof eventOf>>;

const differing = (one: Stored, other: Stored) =>
  EVENT_COLUMNS.filter((column) => JSON.stringify(one[column]) !== JSON.stringify(other[column]));

async function fullEvent() {
  const seller = await eventOnSale(app, PLAIN);
  const { eventId, visitor } = seller;
  const { tickets } = await formOfDate(seller, app, eventId);
  const settings = { allowsRepeatedFreeOrders: true, allowsTicketTransfer: false };
  expectOk(await visitor.call(editTickets, { eventId, tickets, ...settings }));
  expectOk(await visitor.call(editEvent, { eventId, ...FULL, tickets }));
  return { ...seller, tickets };
}

describe('every column of an event that is edited', () => {
  it('is written by a form, and kept by an edit that omits it', async () => {
    const plain = await eventOf((await eventOnSale(app, PLAIN)).eventId);
    const { eventId, visitor, tickets } = await fullEvent();
    const full = await eventOf(eventId);
    expect(differing(plain, full)).toEqual(EVENT_COLUMNS);

    const { title, description, street, city, state, postalCode, timezone, participants, latitude, longitude } = FULL;
    const { startDate_startTime, endDate_endTime } = FULL;
    const place = { street, city, state, postalCode, timezone, latitude, longitude };
    const required = { title, description, participants, startDate_startTime, endDate_endTime, ...place };
    expectOk(await visitor.call(editEvent, { eventId, ...required, tickets }));
    expectOk(await visitor.call(editTickets, { eventId, tickets }));

    expect(differing(full, await eventOf(eventId))).toEqual([]);
  });

  it('is copied, with its times moved and without what tells dates apart', async () => {
    const { eventId, visitor } = await fullEvent();

    const copy = expectOk(await visitor.call(duplicateEvent, { eventId, duplicateId: randomUUID() }));

    expect(differing(await eventOf(eventId), await eventOf(copy.eventId)).toSorted()).toEqual(
      [...TIMES, 'subtitle'].toSorted(),
    );
  });

  it('follows an edit of another date of a series, but for what tells the dates apart', async () => {
    const { visitor, eventId } = await eventOnSale(app, PLAIN);
    const series = await makeSeries(app, { visitor, eventId }, [day(EVENT_DAY), day(EVENT_DAY + 7)]);
    const [, other = ''] = series.dates;
    const before = await eventOf(other);

    expectOk(await editDates(app, series, eventId, FULL));
    await app.settle();

    expect(differing(before, await eventOf(other))).toEqual(OF_EVENT.filter((column) => column !== 'subtitle'));
  });

  it('is written and read by programs', async () => {
    const { visitor, eventId: event_id } = await eventOnSale(app, PLAIN);
    const key = await newApiKey(visitor);
    const before = await eventOf(event_id);

    const changed = await callV1(app, key, updateEvent, { event_id, ...FULL_BY_API });

    expect([changed.status, changed.body.error]).toEqual([200, undefined]);
    const after = await eventOf(event_id);
    expect(differing(before, after)).toEqual(OF_EVENT.filter((column) => column !== 'participants'));
    const { body } = await callV1(app, key, readEvent, { event_id });
    const {
      participants: _estimate,
      allowsRepeatedFreeOrders: _free,
      allowsTicketTransfer: _transfer,
      ...shown
    } = after;
    expect(readBy(body as object as ApiReply)).toEqual(JSON.parse(JSON.stringify(shown)));
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import * as contract from '#contract/app/events.ts';
import { guestPage } from '#contract/app/guests.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { errorText } from '#messages/errors.ts';
import { eventEnded } from '#messages/sales/event-page.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import {
  buyTickets,
  codesOf,
  eventForm,
  eventOnSale,
  generalAdmission,
  newOrganizer,
  onboardedOrganizer,
  openCheckout,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('creating an event', () => {
  it('returns the link and the attendant code, and publishes the event [EVT-5 BUY-6]', async () => {
    const { visitor } = await onboardedOrganizer(app);

    const created = await visitor.call(contract.createEvent, eventForm(app));
    const shown = await app.call(contract.publicEvent, { eventId: created.body.eventId });

    expect(created.body).toEqual({
      eventId: expect.stringMatching(/^[\w-]{16}$/),
      eventUrl: `${app.publicUrl}/payment/${created.body.eventId}`,
      attendantCode: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{10}$/),
      feeWaiveStatus: false,
    });
    expect(shown.status).toBe(200);
    expect(shown.body).toMatchObject({
      title: 'Basement Brass',
      organizationName: 'Cooperage Nights',
      tickets: [
        { ticketName: 'General admission', ticketPrice: 24, ticketQuantity: 100, available: 100 },
        { ticketName: 'Balcony', ticketPrice: 38.5, ticketQuantity: 10, available: 10 },
      ],
    });
    const secrets = ['attendantId', 'guestList', 'email', 'userId', '_id', 'participants'];
    for (const secret of secrets) expect(shown.body).not.toHaveProperty(secret);
  });

  it('returns the start of sales if it is set', async () => {
    const { visitor } = await onboardedOrganizer(app);
    const salesStart = new Date(app.now().getTime() + 3_600_000).toISOString();

    const created = await visitor.call(contract.createEvent, { ...eventForm(app), salesStart });

    expect(created).toMatchObject({ status: 200, body: { salesStartAt: salesStart } });
  });

  it('requires a session', async () => {
    const reply = await app.call(contract.createEvent, eventForm(app));

    expect(reply).toMatchObject({ status: 401, body: { code: 'session.missing' } });
  });

  it('requires complete onboarding', async () => {
    const { visitor } = await newOrganizer(app);

    const reply = await visitor.call(contract.createEvent, eventForm(app));

    expect(reply).toMatchObject({ status: 403, body: { code: 'onboarding.incomplete' } });
  });

  it('allows two active events [EVT-18]', async () => {
    const { visitor } = await onboardedOrganizer(app);
    const create = () => visitor.call(contract.createEvent, eventForm(app));

    const replies = [await create(), await create(), await create()];
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 409]);
    expect(replies[2]?.body.code).toBe('event.too-many-active-events');
  });

  it('lets only one of two concurrent requests create the second event', async () => {
    const { visitor, email } = await onboardedOrganizer(app);
    await visitor.call(contract.createEvent, eventForm(app));

    // The test locks the organizer's row until both requests are blocked.
    const replies = await app.db.transaction().execute(async (tx) => {
      const { organizationId } = await actorOf(tx, email);
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forUpdate().execute();
      const waiting = [1, 2].map(() => visitor.call(contract.createEvent, eventForm(app)));
      await app.untilBlocked(2);
      return { waiting };
    });

    const statuses = (await Promise.all(replies.waiting)).map((reply) => reply.status);
    expect(statuses.sort()).toEqual([200, 409]);
  });

  const invalidForms: [string, object, string][] = [
    ['no title [EVT-7]', { title: '  ' }, 'Title is required'],
    ['a long title [EVT-7]', { title: 'x'.repeat(51) }, 'Title must be 50 characters or less'],
    ['a title that is a number', { title: 7 }, 'title must be text.'],
    ['a long description [EVT-8]', { description: 'x'.repeat(2001) }, 'Description must be 2000 characters or less'],
    ['a postal code with symbols [EVT-9]', { postalCode: '11211!' }, 'Postal code cannot contain symbols'],
    ['participants with symbols [EVT-9]', { participants: '~200' }, 'Participants field cannot contain symbols'],
    ['no start [EVT-10]', { startDate_startTime: '' }, 'Start date/time is required'],
    ['no end [EVT-10]', { endDate_endTime: '' }, 'End date/time is required'],
    [
      'a start in the past [EVT-11]',
      { startDate_startTime: '2020-01-01T20:00' },
      'Start date/time must be in the future',
    ],
    [
      'an end before the start [EVT-11]',
      { endDate_endTime: '2020-01-01T20:00' },
      'End date/time cannot be before start date/time',
    ],
    ['an invalid time', { startDate_startTime: 'soon' }, 'Start date/time must be a date and a time'],
    [
      'an hour skipped by daylight saving time',
      { startDate_startTime: '2031-03-09T02:30' },
      "Start date/time doesn't exist: clocks spring forward then",
    ],
    ['an unknown state', { state: 'XX' }, 'State is required'],
    ['an unknown time zone', { timezone: 'Europe/Berlin' }, 'Time zone is required'],
    ['a latitude beyond the pole', { latitude: 91 }, 'Latitude must be a number between -90 and 90'],
    ['no tickets', { tickets: [] }, 'Add at least one ticket'],
    ['an unknown affiliate code', { affiliateCode: 'nope' }, errorText('event.unknown-affiliate-code')],
  ];
  it.each(invalidForms)('refuses %s', async (_case, change, msg) => {
    const { visitor } = await sharedOrganizer();

    const reply = await visitor.send(contract.createEvent, { ...eventForm(app), ...change });

    expect([400, 409]).toContain(reply.status);
    expect(reply.body.msg).toBe(msg);
  });

  const ticket = { ticketName: 'Floor', ticketDescription: 'Standing', ticketPrice: 10, ticketQuantity: 5 };
  const invalidTickets: [string, object[], string][] = [
    [
      'a price that is not a number [EVT-12]',
      [{ ...ticket, ticketPrice: 'ten' }],
      'Ticket 1 price must be a valid number',
    ],
    [
      'a price over the limit [EVT-12]',
      [ticket, { ...ticket, ticketName: 'Box', ticketPrice: 50_000.01 }],
      'Ticket 2 price cannot exceed $50,000',
    ],
    [
      'a price below the card minimum',
      [{ ...ticket, ticketPrice: 0.49 }],
      'Ticket 1 price must be $0 or at least $0.50',
    ],
    [
      'two tickets with the same name',
      [ticket, { ...ticket, ticketName: ' FLOOR ' }],
      'Ticket 2 has the same name as another ticket',
    ],
    [
      'a fractional quantity',
      [{ ...ticket, ticketQuantity: 1.5 }],
      'Ticket 1 quantity must be a whole number from 1 to 100,000',
    ],
  ];
  it.each(invalidTickets)('refuses %s', async (_case, tickets, msg) => {
    const { visitor } = await sharedOrganizer();

    const reply = await visitor.send(contract.createEvent, { ...eventForm(app), tickets });

    expect(reply).toMatchObject({ status: 400, body: { msg } });
  });

  it('interprets times in the time zone of the venue', async () => {
    const { visitor } = await onboardedOrganizer(app);
    const start = '2030-06-12T20:00';
    const form = eventForm(app, { startDate_startTime: start, endDate_endTime: '2030-06-12T23:00' });

    const { body } = await visitor.call(contract.createEvent, form);
    const shown = await app.call(contract.publicEvent, { eventId: body.eventId });

    expect(shown.body).toMatchObject({ startDate_startTime: '2030-06-13T00:00:00.000Z' });
    expect(localTimeOf(new Date('2030-06-13T00:00:00Z'), form.timezone)).toBe(start);
  });

  let shared: ReturnType<typeof onboardedOrganizer> | undefined;
  function sharedOrganizer() {
    shared ??= onboardedOrganizer(app);
    return shared;
  }
});

describe('looking up an address', () => {
  it('locates a ZIP code [EVT-15]', async () => {
    const { visitor } = await newOrganizer(app);
    const address = { street: '38 Withers St', city: 'Brooklyn', state: 'NY', postalCode: '11211' } as const;

    const found = await visitor.call(contract.getCoords, address);
    const unknown = await visitor.call(contract.getCoords, { ...address, postalCode: '00000' });

    expect(found.body.lat).toBeCloseTo(40.71, 1);
    expect(found.body.lng).toBeCloseTo(-73.95, 1);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'address.not-found' } });
  });
});

describe('a public event', () => {
  it('is not found with an unknown ID [BUY-6]', async () => {
    const reply = await app.call(contract.publicEvent, { eventId: 'nosuchevent00000' });

    expect(reply).toMatchObject({ status: 404, body: { msg: 'Event not found' } });
  });

  it('reports that it has ended [BUY-6]', async () => {
    const { eventId } = await eventOnSale(app);
    await app.db
      .updateTable('events')
      .set({ startsAt: new Date(0), endsAt: new Date(1) })
      .where('id', '=', eventId)
      .execute();

    const reply = await app.call(contract.publicEvent, { eventId });

    expect(reply).toMatchObject({ status: 200, body: { msg: eventEnded } });
  });
});

describe('the ticket types on the profile', () => {
  it('show exact numbers, unlike the public page', async () => {
    const { visitor, eventId } = await eventOnSale(app);
    const order = await buyTickets(app, eventId, generalAdmission(4));
    await openCheckout(app, eventId, generalAdmission(2));
    const typesOf = async () => (await visitor.call(profile, {})).body.events[0]?.tickets;

    expect(await typesOf()).toMatchObject([
      { ticketName: 'General admission', ticketQuantity: 100, ticketsSold: 4, available: 94 },
      { ticketName: 'Balcony', ticketQuantity: 10, ticketsSold: 0, available: 10 },
    ]);
    const shown = await app.call(contract.publicEvent, { eventId });
    expect(shown.body).toMatchObject({ tickets: [{ available: 90 }, { available: 10 }] });

    await app.call(requestRefund, { eventId, confirmationCode: codesOf(order)[0] ?? '' });
    expect(await typesOf()).toMatchObject([{ ticketsSold: 3, available: 95 }, {}]);
  });

  it('are counted separately, also beyond the first page of guests', async () => {
    const tickets = ['Floor', 'Balcony'].map((ticketName) => ({
      ticketName,
      ticketDescription: 'x',
      ticketPrice: 20,
      ticketQuantity: 150,
    }));
    const { visitor, eventId } = await eventOnSale(app, { tickets });
    await buyTickets(app, eventId, [{ ticketName: 'Floor', quantity: 90 }]);
    await buyTickets(app, eventId, [{ ticketName: 'Balcony', quantity: 20 }]);

    const { body } = await visitor.call(profile, {});
    expect(body.events[0]).toMatchObject({
      ticketsSold: 110,
      tickets: [
        { ticketsSold: 90, available: 60 },
        { ticketsSold: 20, available: 130 },
      ],
    });
    expect(body.events[0]?.guestList).toHaveLength(100);
  });
});

describe('the guest list', () => {
  it('lists buyers and tickets, with totals, search and pages [GUEST-1 EVT-2]', async () => {
    const { visitor, eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, [{ ticketName: 'General admission', quantity: 2 }], 'sam@example.com');
    await buyTickets(app, eventId, [{ ticketName: 'balcony', quantity: 1 }], 'lee@example.org');

    const { body } = await visitor.call(profile, {});
    const firstPage = await visitor.call(guestPage, { eventId, limit: 2 });
    const secondPage = await visitor.call(guestPage, { eventId, limit: 2, after: firstPage.body.guestListNext ?? '' });
    const found = await visitor.call(guestPage, { eventId, q: 'LEE@' });

    const wildcard = await visitor.call(guestPage, { eventId, q: '%' });

    expect(wildcard.body.guestList).toEqual([]);
    expect(body.events[0]).toMatchObject({ ticketsSold: 3, gross: 86.5, ticketsScanned: 0, guestListNext: null });
    expect(firstPage.body.guestList).toHaveLength(2);
    expect(secondPage.body).toMatchObject({ guestList: [{ email: 'lee@example.org' }], guestListNext: null });
    expect(found.body.guestList).toEqual([
      {
        orderId: expect.any(String),
        ticketId: expect.any(String),
        email: 'lee@example.org',
        confirmationNumber: expect.stringMatching(/^[1-9]\d{9}$/),
        ticketScanned: false,
        state: 'valid',
        ticketName: 'Balcony',
        ticketPrice: 38.5,
        buyerName: 'Sam Buyer',
      },
    ]);
  });

  it('is limited to the organizer', async () => {
    const { eventId } = await eventOnSale(app);
    const stranger = await newOrganizer(app);

    const reply = await stranger.visitor.call(guestPage, { eventId });

    expect(reply).toMatchObject({ status: 404, body: { msg: 'Event not found' } });
  });
});

/** Creating, editing and cancelling events, and looking up addresses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import * as contract from '#contract/app/events.ts';
import { RESCHEDULES_PER_DAY_MAX } from '#domain/limits.ts';
import { eventCancelledByOrganizer } from '#messages/events.ts';
import { actorOf, organizerOf } from '#tests/support/actor-of.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { movementsAtStripe } from '#tests/support/money.ts';
import {
  buyTickets,
  emailsTo,
  eventForm,
  eventOnSale,
  generalAdmission,
  newOrganizer,
  onboardedOrganizer,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const NO_EVENT = 'AAAAAAAAAAAAAAAA';
let app: TestApp;
let seller: Awaited<ReturnType<typeof eventOnSale>>;
let stranger: Awaited<ReturnType<typeof newOrganizer>>;
beforeAll(async () => {
  app = await startTestApp();
  seller = await eventOnSale(app);
  stranger = await newOrganizer(app);
});
afterAll(() => app.close());

const create = (visitor: Visitor, change: object) =>
  visitor.send(contract.createEvent, { ...eventForm(app), ...change });
const edit = (change: object, { visitor, eventId }: { visitor: Visitor; eventId: string } = seller) =>
  visitor.send(contract.editEvent, { ...eventForm(app), ...change, eventId });
const rowOf = (eventId: string) =>
  app.db.selectFrom('events').where('id', '=', eventId).selectAll().executeTakeFirstOrThrow();
const typesOf = (eventId: string) =>
  app.db.selectFrom('ticketTypes').where('eventId', '=', eventId).selectAll().orderBy('position').execute();
const cancel = (visitor: Visitor, eventId: string) => visitor.call(contract.cancelEvent, { eventId });

const oneTicket = (change: object) => ({
  tickets: [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 20, ticketQuantity: 10, ...change }],
});

describe('POST /api/protected/event', () => {
  it('takes only the form from the body: no owner, ids, codes, guests, waiver or state', async () => {
    const { visitor, email } = await onboardedOrganizer(app);
    const wishes = {
      _id: '00000000-0000-7000-8000-000000000001',
      eventId: 'chosen-by-sender',
      userId: (await organizerOf(app.db, seller.eventId)).userId,
      organizationId: (await rowOf(seller.eventId)).organizationId,
      attendantId: '0000000000',
      attendantCode: '0000000000',
      feeWaiveStatus: true,
      processingFeeWaived: true,
      guestList: [{ email: 'free@example.com' }],
      status: 'ended',
      isCancelled: true,
      createdAt: '1999-01-01T00:00:00Z',
    };

    const { body } = await create(visitor, wishes);

    const { organizationId } = await actorOf(app.db, email);
    // Transfers and listing are on unless the organizer turns them off, and what is no draft is published.
    const { allowsTicketTransfer, isListed, isPublished, ...row } = await rowOf(body.eventId);
    expect([allowsTicketTransfer, isListed, isPublished]).toEqual([true, true, true]);
    expect(row).toMatchObject({ organizationId, processingFeeWaived: false, cancelledAt: null });
    for (const value of Object.values(wishes)) expect(Object.values(row)).not.toContain(value);
    const tickets = await app.db.selectFrom('tickets').where('eventId', '=', row.id).select('id').execute();
    expect(tickets).toEqual([]);
  });

  it.each([
    ['below the card minimum', { ticketPrice: 0.49 }],
    ['with a negative price', { ticketPrice: -1 }],
    ['above the limit', { ticketPrice: 50_000.01 }],
    ['with three decimals', { ticketPrice: '19.999' }],
    ['priced in exponent notation', { ticketPrice: '2e1' }],
    ['priced in hexadecimal', { ticketPrice: '0x14' }],
    ['without a numeric price', { ticketPrice: 'NaN' }],
    ['with a list as price', { ticketPrice: [20] }],
    ['with quantity 0', { ticketQuantity: 0 }],
    ['with a negative quantity', { ticketQuantity: -1 }],
    ['with a fractional quantity', { ticketQuantity: 1.5 }],
    ['above the maximum quantity', { ticketQuantity: 100_001 }],
    ['with a quantity in exponent notation', { ticketQuantity: '1e3' }],
    ['with a list as quantity', { ticketQuantity: [7] }],
  ])('rejects tickets %s', async (_what, change) => {
    expect((await create(seller.visitor, oneTicket(change))).status).toBe(400);
  });

  it('keeps a price exact to the cent, beyond float precision', async () => {
    const { visitor } = await onboardedOrganizer(app);

    const { body } = await create(visitor, oneTicket({ ticketPrice: 19.99 }));

    expect(await typesOf(body.eventId)).toMatchObject([{ priceCents: 1999 }]);
  });

  it.each([
    ['two tickets with one name', { tickets: [1, 2].map(() => ({ ...oneTicket({}).tickets[0] })) }],
    [
      'twenty-one tickets',
      { tickets: Array.from({ length: 21 }, (_, at) => ({ ...oneTicket({}).tickets[0], ticketName: `${at}` })) },
    ],
    ['no tickets', { tickets: [] }],
    ['empty coordinates', { latitude: ' ' }],
    ['hexadecimal coordinates', { latitude: '0x10' }],
    ['infinite coordinates', { longitude: 'Infinity' }],
    ['coordinates beyond the pole', { latitude: 90.1 }],
    ['coordinates beyond the date line', { longitude: -180.1 }],
    ['coordinates as a list', { latitude: [40.7] }],
    ['coordinates that are true', { longitude: true }],
    ['an unsupported time zone', { timezone: 'Europe/Berlin' }],
    ['a time zone with a query', { timezone: "America/New_York'; drop table users; --" }],
    ['another country', { state: 'ON' }],
    ['a duration of more than a year', { endDate_endTime: '2031-01-01T00:00' }],
    ['a year out of range', { startDate_startTime: '+275760-09-13T00:00' }],
    ['a numeric start', { startDate_startTime: 4102444800000 }],
  ])('rejects %s', async (_what, change) => {
    expect((await create(seller.visitor, change)).status).toBe(400);
  });

  it('accepts the last minute that its times can express', async () => {
    const { visitor } = await onboardedOrganizer(app);

    const end = { startDate_startTime: '9999-12-31T22:00', endDate_endTime: '9999-12-31T23:59' };
    expect((await create(visitor, end)).status).toBeLessThan(500);
    expect((await visitor.call(profile, {})).status).toBe(200);
  });

  it('requires verified account information', async () => {
    expect(await create(stranger.visitor, {})).toMatchObject({ status: 403, body: { code: 'onboarding.incomplete' } });
  });
});

describe('PATCH /api/protected/event/:eventId', () => {
  it('does not move to another account or id named in a body', async () => {
    const before = await rowOf(seller.eventId);
    const other = await eventOnSale(app);

    const wishes = {
      organizationId: (await rowOf(other.eventId)).organizationId,
      _id: other.eventId,
      feeWaiveStatus: true,
    };
    const reply = await edit({ ...wishes, affiliateCode: 'x', attendantId: '0000000000', guestList: [], status: 'x' });

    expect(reply.status).toBe(200);
    expect(await rowOf(seller.eventId)).toMatchObject({
      organizationId: before.organizationId,
      recordId: before.recordId,
      attendantCode: before.attendantCode,
      processingFeeWaived: false,
      cancelledAt: null,
    });
  });

  it("answers for another organizer's event as for an unknown one, and changes nothing", async () => {
    const before = await rowOf(seller.eventId);

    const replies = [];
    for (const eventId of [seller.eventId, NO_EVENT]) {
      const { status, body } = await edit({ title: 'Mine now' }, { visitor: stranger.visitor, eventId });
      replies.push({ status, body });
    }

    expect(replies).toEqual(Array(2).fill({ status: 404, body: expect.objectContaining({ code: 'event.not-found' }) }));
    expect(await rowOf(seller.eventId)).toEqual(before);
  });

  it('does not reach a ticket type of another event by its id', async () => {
    const other = await eventOnSale(app);
    const theirs = await typesOf(other.eventId);

    await edit(oneTicket({ ticketId: theirs[0]?.id, ticketPrice: 0 }));

    expect(await typesOf(other.eventId)).toEqual(theirs);
    expect((await typesOf(seller.eventId)).filter((type) => !type.removedAt)).toMatchObject([{ name: 'Seat' }]);
  });

  it('does not lower the fee by a claimed attendance', async () => {
    const other = await eventOnSale(app);
    await edit({ participants: '5000' }, other);

    const { body } = await other.visitor.call(profile, {});

    expect(body.events[0]?.payout.statement?.ticketFeeRate).toBe('2.0% + $0.75');
  });

  it('removes no sold ticket type, does not reuse its name, and changes nothing after cancelling', async () => {
    const sale = await eventOnSale(app);
    const form = eventForm(app);
    const [general, balcony] = await typesOf(sale.eventId);
    await buyTickets(app, sale.eventId, generalAdmission(2));

    const balconyOnly = { tickets: form.tickets.slice(1) };
    expect((await edit(balconyOnly, sale)).status).toBe(409);
    const stolenName = { ...form.tickets[1], ticketId: balcony?.id, ticketName: general?.name };
    expect((await edit({ tickets: [stolenName] }, sale)).status).toBe(409);
    const tooFew = [{ ...form.tickets[0], ticketQuantity: 1 }, form.tickets[1]];
    expect((await edit({ tickets: tooFew }, sale)).status).toBe(409);
    await cancel(sale.visitor, sale.eventId);
    expect((await edit({ title: 'On again' }, sale)).status).toBe(409);
  });

  it('does not email buyers endlessly when the event moves back and forth', async () => {
    const sale = await eventOnSale(app);
    await buyTickets(app, sale.eventId, generalAdmission(1), 'patient@example.com');

    const statuses = [];
    for (let move = 0; move <= RESCHEDULES_PER_DAY_MAX; move++)
      statuses.push((await edit({ city: move % 2 ? 'Brooklyn' : 'Queens' }, sale)).status);

    expect(statuses).toEqual([...Array(RESCHEDULES_PER_DAY_MAX).fill(200), 409]);
    const emails = await emailsTo(app, 'patient@example.com');
    expect(emails.length).toBeLessThanOrEqual(RESCHEDULES_PER_DAY_MAX + 1);
    expect(await rowOf(sale.eventId)).toMatchObject({ city: 'Brooklyn' });
  });
});

describe('POST /api/protected/cancel-event', () => {
  it("answers for another organizer's event as for an unknown one", async () => {
    const sale = await eventOnSale(app);

    const replies = [];
    for (const eventId of [sale.eventId, NO_EVENT, '../x', "' or 1=1 --"]) {
      const { status, body } = await cancel(stranger.visitor, eventId);
      replies.push({ status, body });
    }

    expect(replies).toEqual(Array(4).fill({ status: 404, body: expect.objectContaining({ code: 'event.not-found' }) }));
    expect((await rowOf(sale.eventId)).cancelledAt).toBeNull();
  });

  it('refunds once, however often and however fast it is requested', async () => {
    const sale = await eventOnSale(app);
    await buyTickets(app, sale.eventId, generalAdmission(2), 'once@example.com');

    const replies = await Promise.all([1, 2, 3].map(() => cancel(sale.visitor, sale.eventId)));
    await app.settle();
    replies.push(await cancel(sale.visitor, sale.eventId));
    await app.settle();

    for (const { status, body } of replies)
      expect({ status, body }).toEqual({ status: 200, body: { msg: eventCancelledByOrganizer } });
    const refunds = await movementsAtStripe(app, 'refund', sale.eventId);
    expect(refunds.map(({ amount }) => amount)).toEqual([24_00, 24_00]);
    const cancellationEmails = (await emailsTo(app, 'once@example.com')).filter(({ subject }) =>
      /cancel/i.test(subject),
    );
    expect(cancellationEmails).toHaveLength(1);
  });
});

describe('POST /api/protected/get-coords', () => {
  const address = { street: '38 Withers St', city: 'Brooklyn', state: 'NY', postalCode: '11211' };
  const locate = (change: object) => seller.visitor.send(contract.getCoords, { ...address, ...change });

  it('contacts only the geocoder, whatever URL the body contains', async () => {
    const { body } = await locate({ url: 'http://169.254.169.254/', host: 'evil.example', benchmark: '../../admin' });

    expect(body).toEqual({ lat: expect.closeTo(40.71, 1), lng: expect.closeTo(-73.95, 1) });
  });

  it.each([
    ['a URL as street', { street: 'http://127.0.0.1:5432/', postalCode: '00000' }, 404],
    ['parameters in the street', { street: 'x&benchmark=evil#', postalCode: '00000' }, 404],
    ['a path as postal code', { postalCode: '../etc' }, 400],
    ['a list', { postalCode: ['11211'] }, 400],
    ['another country', { state: 'ON' }, 400],
    ['an oversized address', { street: 'x'.repeat(101) }, 400],
  ])('answers %s with a message', async (_what, change, status) => {
    const reply = await locate(change);

    expect(reply.status).toBe(status);
    expect(reply.body.msg).not.toContain('127.0.0.1');
  });
});

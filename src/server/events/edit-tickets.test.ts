import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent, createEvent, editEvent, editTickets, eventTickets, publicEvent } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { buyTickets, eventForm, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Event {
  visitor: Visitor;
  eventId: string;
}

type Rows = InputOf<typeof editTickets>['tickets'];

const read = async ({ visitor, eventId }: Event) => expectOk(await visitor.call(eventTickets, { eventId }));

const rowsOf = async (event: Event): Promise<Rows> => (await read(event)).tickets;

/** Saves what is stored, with changes to the first ticket type. */
async function edit(
  event: Event,
  change: Partial<Rows[number]>,
  rest: { maxPerOrder?: string; version?: string } = {},
) {
  const tickets = (await rowsOf(event)).map((row, index) => (index === 0 ? { ...row, ...change } : row));
  return event.visitor.send(editTickets, { eventId: event.eventId, tickets, ...rest });
}

const localIn = (hours: number) =>
  localTimeOf(new Date(app.now().getTime() + hours * 60 * 60 * 1000), 'America/New_York');

describe('PATCH /api/protected/event/:eventId/tickets', () => {
  it('sets when ticket types sell and how many an order takes, and nothing else [STOCK-4 STOCK-6]', async () => {
    const event = await eventOnSale(app);
    const before = expectOk(await app.call(publicEvent, { eventId: event.eventId }));
    const change = { salesFrom: localIn(2), salesUntil: localIn(4), minPerOrder: '2', maxPerOrder: 4 };

    expect((await edit(event, change, { maxPerOrder: '8' })).status).toBe(200);

    const after = await read(event);
    const stored = { salesFrom: expect.any(String), salesUntil: expect.any(String), minPerOrder: 2, maxPerOrder: 4 };
    expect(after).toMatchObject({ maxPerOrder: 8, denial: null, tickets: [stored, { ticketName: 'Balcony' }] });
    expect(localTimeOf(new Date(after.tickets[0]?.salesFrom ?? ''), 'America/New_York')).toBe(change.salesFrom);
    const shown = expectOk(await app.call(publicEvent, { eventId: event.eventId }));
    expect(shown).toMatchObject({ ...before, maxPerOrder: 8, tickets: [{ ...stored, closed: 'not-yet' }, {}] });
  });

  it('keeps what an edit of the event leaves out, and loses what is left blank [STOCK-4 STOCK-6]', async () => {
    const form = { ...eventForm(app), title: 'Basement Bass' };
    const event = await eventOnSale(app, { ...form, title: 'Basement Brass' });
    await edit(event, { salesUntil: localIn(4), minPerOrder: 2, maxPerOrder: 4 }, { maxPerOrder: '8' });
    const stored = await read(event);

    const tickets = form.tickets.map((row, index) => ({ ...row, ticketId: stored.tickets[index]?.ticketId }));
    expectOk(await event.visitor.call(editEvent, { ...form, tickets, eventId: event.eventId }));
    const kept = await read(event);
    await edit(event, { salesUntil: '', minPerOrder: '', maxPerOrder: '' }, { maxPerOrder: '' });

    expect(kept).toEqual({ ...stored, title: 'Basement Bass', version: expect.any(String) });
    const { maxPerOrder, tickets: left } = await read(event);
    expect([maxPerOrder, Object.keys(left[0] ?? {}).filter((key) => /^sales|PerOrder/.test(key))]).toEqual([100, []]);
  });

  it('are accepted when an event is created [STOCK-4 STOCK-6]', async () => {
    const { visitor } = await eventOnSale(app);
    const [first] = eventForm(app).tickets;
    if (!first) throw new Error('the form has no ticket types');
    const tickets = [{ ...first, salesUntil: localIn(4), maxPerOrder: 4 }];

    const { eventId } = expectOk(await visitor.call(createEvent, eventForm(app, { tickets, maxPerOrder: '8' })));

    expect(await read({ visitor, eventId })).toMatchObject({ maxPerOrder: 8, tickets: [{ maxPerOrder: 4 }] });
  });

  it('adds, renames and removes ticket types', async () => {
    const event = await eventOnSale(app);
    const [general] = await rowsOf(event);
    const added = { ticketName: 'Early bird', ticketDescription: 'The first', ticketPrice: '12', ticketQuantity: '30' };
    const tickets = [added, { ...general, ticketName: 'Regular' }];

    const { status } = await event.visitor.send(editTickets, { eventId: event.eventId, tickets });

    const names = (await rowsOf(event)).map(({ ticketId, ticketName }) => [ticketName, ticketId === general?.ticketId]);
    expect([status, names]).toEqual([
      200,
      [
        ['Early bird', false],
        ['Regular', true],
      ],
    ]);
  });

  it('is denied for what sold, for an outdated version, and for a cancelled event', async () => {
    const event = await eventOnSale(app);
    const { version, tickets } = await read(event);
    await buyTickets(app, event.eventId, generalAdmission(3));

    const fewer = await edit(event, { ticketQuantity: 2 });
    const removed = await event.visitor.call(editTickets, { eventId: event.eventId, tickets: tickets.slice(1) });
    await edit(event, { ticketDescription: 'Standing' });
    const outdated = await edit(event, { ticketDescription: 'Sitting' }, { version });

    const name = 'General admission';
    expect(fewer).toMatchObject({ status: 409, body: errorBody('edit.quantity-below-sold', { name, reserved: 3 }) });
    expect(removed).toMatchObject({ status: 409, body: errorBody('edit.sold-type-removed', { name }) });
    expect(outdated).toMatchObject({ status: 409, body: errorBody('event.changed') });

    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    expect(await edit(event, {})).toMatchObject({ status: 409, body: errorBody('edit.event-cancelled') });
    expect(await read(event)).toMatchObject({ denial: 'event-cancelled' });
  });

  it.each([
    [{ minPerOrder: 0 }, 'minPerOrder', 'ticket-min.invalid'],
    [{ minPerOrder: '2.5' }, 'minPerOrder', 'ticket-min.invalid'],
    [{ maxPerOrder: 101 }, 'maxPerOrder', 'ticket-max.invalid'],
    [{ maxPerOrder: 'four' }, 'maxPerOrder', 'ticket-max.invalid'],
    [{ minPerOrder: 5, maxPerOrder: 4 }, 'minPerOrder', 'ticket-min.above-max'],
    [{ minPerOrder: 5, ticketQuantity: 4 }, 'minPerOrder', 'ticket-min.above-quantity'],
    [{ salesFrom: 'tomorrow' }, 'salesFrom', 'ticket-sales-from.malformed'],
    [{ salesUntil: '2027-02-30T10:00' }, 'salesUntil', 'ticket-sales-until.malformed'],
    // The clocks go forward at 2:00 AM.
    [{ salesFrom: '2027-03-14T02:30' }, 'salesFrom', 'ticket-sales-from.skipped-hour'],
    [{ salesUntil: '2027-03-14T02:30' }, 'salesUntil', 'ticket-sales-until.skipped-hour'],
    [{ salesFrom: '2027-01-02T10:00', salesUntil: '2027-01-02T10:00' }, 'salesUntil', 'ticket-sales-until.too-early'],
  ])('is denied with %j [STOCK-4 STOCK-6]', async (change, field, reason) => {
    const event = await eventOnSale(app);
    const before = await read(event);

    const params = { field: `tickets.0.${field}`, reason };
    expect(await edit(event, change)).toMatchObject({ status: 400, body: { code: 'form.invalid', params } });
    expect(await read(event)).toEqual(before);
  });

  it.each([
    [{}, '0', { field: 'maxPerOrder', reason: 'max-per-order.invalid' }],
    [{}, '101', { field: 'maxPerOrder', reason: 'max-per-order.invalid' }],
    [{ minPerOrder: 5 }, '4', { field: 'tickets.0.minPerOrder', reason: 'ticket-min.above-order' }],
  ])('is denied with %j and %s per order [STOCK-6]', async (change, maxPerOrder, params) => {
    const event = await eventOnSale(app);
    expect(await edit(event, change, { maxPerOrder })).toMatchObject({
      status: 400,
      body: { code: 'form.invalid', params },
    });
  });

  it('takes the earlier instant of a doubled hour as the start, and the later one as the end [STOCK-4]', async () => {
    const event = await eventOnSale(app);
    expectOk(await edit(event, { salesFrom: '2026-11-01T01:30', salesUntil: '2026-11-01T01:31' }));

    const [general] = await rowsOf(event);
    expect(general).toMatchObject({ salesFrom: '2026-11-01T05:30:00.000Z', salesUntil: '2026-11-01T06:31:00.000Z' });
  });
});

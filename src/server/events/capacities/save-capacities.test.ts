import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editEvent, editTickets, eventTickets } from '#contract/app/events.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { eventForm, eventOnSale, expectOk, generalAdmission, openCheckout } from '#tests/support/people.ts';
import { shareCapacity } from '#tests/support/share-capacity.ts';
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

const hall = { name: 'Main hall', capacity: 50, units: { 'General admission': 1, Balcony: 2 } };

const read = async ({ visitor, eventId }: Event) => expectOk(await visitor.call(eventTickets, { eventId }));

async function edit(event: Event, sharedCapacities: unknown, rest: { version?: string } = {}) {
  const { tickets } = await read(event);
  return event.visitor.send(editTickets, { eventId: event.eventId, tickets, sharedCapacities, ...rest });
}

describe('the shared capacities of an event', () => {
  it('are added, renamed, resized and removed [STOCK-1]', async () => {
    const event = await eventOnSale(app);
    await shareCapacity(event, hall, { name: 'Bar', capacity: 9, units: { Balcony: 1 } });
    const { sharedCapacities: added } = await read(event);
    expect(added).toMatchObject([
      { name: 'Main hall', capacity: 50, reserved: 0, units: [1, 2] },
      { name: 'Bar', capacity: 9, reserved: 0, units: [null, 1] },
    ]);

    // Their names are swapped, and one has other members.
    const [first, second] = added;
    const swapped = [
      { ...second, name: 'Main hall', units: [3, ''] },
      { ...first, name: 'Bar', capacity: '60' },
    ];
    expectOk(
      await edit(
        event,
        swapped.map((row) => ({ ...row, units: row.units?.map((units) => units ?? '') })),
      ),
    );
    expect((await read(event)).sharedCapacities).toEqual([
      { ...second, name: 'Main hall', units: [3, null] },
      { ...first, name: 'Bar', capacity: 60 },
    ]);

    expectOk(await edit(event, []));
    expect((await read(event)).sharedCapacities).toEqual([]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('stay as they are in edits that leave them out, and lose the types that are removed [STOCK-1]', async () => {
    const event = await eventOnSale(app);
    await shareCapacity(event, hall);
    const { sharedCapacities } = await read(event);

    const form = eventForm(app, { title: 'Basement Bass' });
    expectOk(await event.visitor.call(editEvent, { ...form, eventId: event.eventId }));
    expect((await read(event)).sharedCapacities).toEqual(sharedCapacities);

    const tickets = (await read(event)).tickets.slice(0, 1);
    expectOk(await event.visitor.call(editTickets, { eventId: event.eventId, tickets }));
    expect((await read(event)).sharedCapacities).toMatchObject([{ units: [1] }]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('count what is reserved already, and can be no smaller than that [STOCK-3]', async () => {
    const event = await eventOnSale(app);
    await openCheckout(app, event.eventId, [...generalAdmission(3), { ticketName: 'Balcony', quantity: 2 }]);
    await shareCapacity(event, hall);
    expect((await read(event)).sharedCapacities).toMatchObject([{ reserved: 7 }]);

    const denied = { status: 409, body: errorBody('capacity.below-reserved', { name: 'Main hall', reserved: 7 }) };
    expect(await edit(event, [{ name: 'Main hall', capacity: 6, units: [1, 2] }])).toMatchObject(denied);
    const more = { status: 409, body: errorBody('capacity.below-reserved', { name: 'Main hall', reserved: 63 }) };
    expect(await edit(event, [{ name: 'Main hall', capacity: 50, units: [1, 30] }])).toMatchObject(more);
    expect((await read(event)).sharedCapacities).toMatchObject([{ capacity: 50, reserved: 7, units: [1, 2] }]);

    expectOk(await edit(event, [{ name: 'Main hall', capacity: 7, units: [1, 2] }]));
    expect((await read(event)).sharedCapacities).toMatchObject([{ capacity: 7, reserved: 7 }]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('are covered by the version of the tickets', async () => {
    const event = await eventOnSale(app);
    const { version } = await read(event);
    await shareCapacity(event, hall);
    expect(await edit(event, [], { version })).toMatchObject({ status: 409, body: errorBody('event.changed') });

    const { version: current } = await read(event);
    await openCheckout(app, event.eventId, generalAdmission(1));
    expect((await edit(event, [], { version: current })).status).toBe(200);
  });

  it.each([
    [[{ name: ' ', capacity: 5, units: [] }], '0.name', 'capacity-name.missing'],
    [[{ name: 'x'.repeat(51), capacity: 5, units: [] }], '0.name', 'capacity-name.too-long'],
    [
      [
        { name: 'Hall', capacity: 5, units: ['1'] },
        { name: ' hALL', capacity: 5, units: [] },
      ],
      '1.name',
      'capacity-name.taken',
    ],
    [[{ name: 'Hall', capacity: 0, units: [] }], '0.capacity', 'capacity-size.invalid'],
    [[{ name: 'Hall', capacity: '2.5', units: [] }], '0.capacity', 'capacity-size.invalid'],
    [[{ name: 'Hall', capacity: 100_001, units: [] }], '0.capacity', 'capacity-size.invalid'],
    [[{ name: 'Hall', capacity: 5, units: ['', 0] }], '0.units.1', 'capacity-units.invalid'],
    [[{ name: 'Hall', capacity: 5, units: ['', ''] }], '0.units.0', 'capacity-units.missing'],
    [[{ name: 'Hall', capacity: 5, units: [101] }], '0.units.0', 'capacity-units.invalid'],
  ])('are denied as %j [STOCK-1]', async (sharedCapacities, field, reason) => {
    const event = await eventOnSale(app);
    const params = { field: `sharedCapacities.${field}`, reason };
    expect(await edit(event, sharedCapacities)).toMatchObject({ status: 400, body: { code: 'form.invalid', params } });
  });

  it('are at most twenty [STOCK-1]', async () => {
    const event = await eventOnSale(app);
    const rows = Array.from({ length: 21 }, (_, index) => ({ name: `Hall ${index}`, capacity: 5, units: ['1'] }));
    expect(await edit(event, rows)).toMatchObject({ status: 400, body: { params: { reason: 'capacities.too-many' } } });
    expectOk(await edit(event, rows.slice(1)));
  });
});

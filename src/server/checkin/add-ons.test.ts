/** Add-ons at the door: handed out once, and never counted as guests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { adminActionItems } from '#contract/app/action-items.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import {
  checkInDashboard,
  findTickets,
  offlineTicketList,
  syncScans,
  undoCheckIn,
} from '#contract/app/check-in-devices.ts';
import { handOut } from '#messages/check-in.ts';
import { ticketPosition } from '#messages/format.ts';
import { deviceAt } from '#tests/support/check-in-devices.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import { buyTickets, codesOf, emailsTo, eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const HOUR_MS = 60 * 60 * 1000;
const seat = { ticketName: 'Seat', ticketDescription: 'Seated', ticketPrice: 20, ticketQuantity: 50 };
const shirt = { ticketName: 'T-shirt', ticketDescription: 'Black', ticketPrice: 15, ticketQuantity: 50, isAddOn: true };

async function eventWithShirt() {
  const event = await eventOnSale(app, { tickets: [seat, shirt] });
  const { confirmationData } = await buyTickets(app, event.eventId, [
    { ticketName: 'Seat', quantity: 1 },
    { ticketName: 'T-shirt', quantity: 1 },
  ]);
  const numberOf = (name: string) => confirmationData.find(({ ticketName }) => ticketName === name)?.confirmationNumber;
  return { ...event, seat: numberOf('Seat') ?? '', shirt: numberOf('T-shirt') ?? '' };
}

type Event = Awaited<ReturnType<typeof eventWithShirt>>;

const door = ({ eventId, attendantCode }: Event, name: string) =>
  deviceAt(app, { eventId, attendantCode }, name).then(({ visitor }) => visitor);

describe('An add-on at the door', () => {
  it('is handed out once, and lets no one in [PRICE-6]', async () => {
    const event = await eventWithShirt();
    const { eventId } = event;
    const device = await door(event, 'Merch');
    const scan = (confirmationNumber: string, scanId = crypto.randomUUID()) =>
      device.call(checkGuest, { eventId, confirmationNumber, scanId });

    const first = crypto.randomUUID();
    const handedOut = { status: 200, body: { result: 'handed-out', msg: handOut('T-shirt') } };
    expect(await scan(event.shirt, first)).toMatchObject(handedOut);
    expect(await scan(event.shirt, first)).toMatchObject(handedOut);
    await app.advance({ seconds: 4 });
    expect(await scan(event.shirt)).toMatchObject({
      status: 409,
      body: { code: 'check-in.already-handed-out', params: { device: 'Merch' } },
    });
    expect(await scan(event.seat)).toMatchObject({ status: 200, body: { result: 'admitted' } });
  });

  it('is handed out by one of two devices at once [PRICE-6]', async () => {
    const event = await eventWithShirt();
    const { eventId, shirt: confirmationNumber } = event;
    const devices = [await door(event, 'One'), await door(event, 'Two')];

    const answers = await Promise.all(
      devices.map((device) => device.call(checkGuest, { eventId, confirmationNumber, scanId: crypto.randomUUID() })),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'check-in.already-handed-out' });
  });

  it('is in no count of guests, on the dashboard, the profile and the offline list [PRICE-6]', async () => {
    const event = await eventWithShirt();
    const { eventId } = event;
    const device = await door(event, 'Gate');
    for (const confirmationNumber of [event.shirt, event.seat])
      expectOk(await device.call(checkGuest, { eventId, confirmationNumber, scanId: crypto.randomUUID() }));
    await app.settle();

    const view = expectOk(await event.visitor.call(checkInDashboard, { eventId }));
    expect(view.counts).toEqual([
      { ticketName: 'Seat', isAddOn: false, sold: 1, admitted: 1 },
      { ticketName: 'T-shirt', isAddOn: true, sold: 1, admitted: 1 },
    ]);
    expect(view.devices).toMatchObject([{ name: 'Gate', admitted: 1 }]);
    expect(view.arrivals).toMatchObject([{ admitted: 1 }]);

    const { events, sales } = expectOk(await event.visitor.call(profile, {}));
    expect(events).toMatchObject([{ ticketsSold: 2, ticketsScanned: 1 }]);
    expect(sales).toMatchObject({ ticketsSold: 2, ticketsToScan: 1, ticketsScanned: 1 });

    const list = expectOk(await device.call(offlineTicketList, { eventId, pending: 0 }));
    expect(list).toMatchObject({ ticketTypes: ['Seat', 'T-shirt'], addOns: [1], device: { admitted: 1 } });
  });

  it('is handed out twice without a network: a conflict that counts no guest [PRICE-6]', async () => {
    const event = await eventWithShirt();
    const { eventId, shirt: confirmationNumber } = event;
    for (const name of ['Merch 1', 'Merch 2']) {
      const scan = { scanId: crypto.randomUUID(), confirmationNumber, at: app.now().getTime() };
      expectOk(await (await door(event, name)).call(syncScans, { eventId, scans: [scan] }));
    }

    const view = expectOk(await event.visitor.call(checkInDashboard, { eventId }));
    expect(view.conflicts).toMatchObject([{ result: 'double', isAddOn: true, ticketName: 'T-shirt' }]);
    expect(view.devices.map(({ admitted, lastScanAt }) => [admitted, lastScanAt !== null])).toEqual([
      [0, true],
      [0, true],
    ]);
  });

  it('is found by its last digits as what it is [PRICE-6]', async () => {
    const event = await eventWithShirt();
    const { eventId, shirt } = event;
    const device = await door(event, 'Merch');

    const { tickets } = expectOk(await device.call(findTickets, { eventId, lastDigits: shirt.slice(-4) }));
    expect(tickets).toContainEqual(expect.objectContaining({ ticketName: 'T-shirt', isAddOn: true, state: 'valid' }));
  });

  it('is called an add-on on the confirmation page and in the email [PRICE-6]', async () => {
    const event = await eventOnSale(app, { tickets: [seat, shirt] });
    const cart = [
      { ticketName: 'Seat', quantity: 1 },
      { ticketName: 'T-shirt', quantity: 1 },
    ];
    const { confirmationData } = await buyTickets(app, event.eventId, cart, 'fan@example.com');
    await app.settle();

    expect(confirmationData.map(ticketPosition)).toEqual(['Ticket 1 of 2', 'Add-on, 2 of 2: pick it up at the door']);
    const [email] = await emailsTo(app, 'fan@example.com');
    expect(email?.text).toContain('T-shirt (Add-on, 2 of 2: pick it up at the door)');
    expect(email?.text).toContain("an add-on's gets you what you bought");
  });

  it('can be handed out days before: the buyers are emailed, and operators see no wave of check-ins [PRICE-6 WINDOW-0]', async () => {
    const event = await eventOnSale(app, {
      tickets: [seat, shirt],
      startDate_startTime: new Date(app.now().getTime() + 72 * HOUR_MS).toISOString(),
      endDate_endTime: new Date(app.now().getTime() + 75 * HOUR_MS).toISOString(),
    });
    const { eventId } = event;
    const order = await buyTickets(app, eventId, [{ ticketName: 'T-shirt', quantity: 5 }], 'early@example.com');
    const device = await door({ ...event, seat: '', shirt: '' }, 'Merch');
    for (const confirmationNumber of codesOf(order))
      expectOk(await device.call(checkGuest, { eventId, confirmationNumber, scanId: crypto.randomUUID() }));
    await app.settle();

    expect((await emailsTo(app, 'early@example.com')).length).toBeGreaterThan(1);
    const { items } = expectOk(await (await newOperator(app)).call(adminActionItems, {}));
    expect(items.filter((item) => item.event?.eventId === eventId)).toEqual([]);
  });

  it('can be undone like a check-in [PRICE-6]', async () => {
    const event = await eventWithShirt();
    const { eventId, shirt: confirmationNumber } = event;
    const device = await door(event, 'Merch');
    const scanId = crypto.randomUUID();
    expectOk(await device.call(checkGuest, { eventId, confirmationNumber, scanId }));

    expectOk(await device.call(undoCheckIn, { eventId, scanId }));
    const again = await device.call(checkGuest, { eventId, confirmationNumber, scanId: crypto.randomUUID() });
    expect(again).toMatchObject({ status: 200, body: { result: 'handed-out' } });
  });
});

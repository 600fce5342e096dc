/** Events whose start moved after half of their tickets were sold. */
import { expect, it } from 'vitest';
import { adminMovedEvents } from '#contract/app/admin.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import { accountInfo, buyTickets, eventOnSale, expectOk } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const HOUR_MS = 60 * 60 * 1000;
const inHours = (hours: number) => new Date(app.now().getTime() + hours * HOUR_MS).toISOString();

/** Ten tickets, of which some are sold. */
async function eventWith({ sold, addOns = 0 }: { sold: number; addOns?: number }) {
  const seat = { ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 20, ticketQuantity: 10 };
  const startsAt = inHours(48);
  const times = { startDate_startTime: startsAt, endDate_endTime: inHours(51) };
  const shirt = { ...seat, ticketName: 'T-shirt', ticketQuantity: addOns, isAddOn: true };
  const event = await eventOnSale(app, { tickets: addOns > 0 ? [seat, shirt] : [seat], ...times });
  await buyTickets(app, event.eventId, [{ ticketName: 'Seat', quantity: sold }]);
  return { ...event, startsAt };
}

const move = (event: Awaited<ReturnType<typeof eventWith>>, startsAt: string) =>
  editEventOf(app, event, { startDate_startTime: startsAt, endDate_endTime: inHours(400) });

async function listed(eventId: string) {
  const operator = await newOperator(app);
  const { events } = expectOk(await operator.call(adminMovedEvents, {}));
  return events.filter((event) => event.eventId === eventId);
}

it('are listed with the start before and now [WINDOW-0]', async () => {
  const event = await eventWith({ sold: 5 });
  const later = inHours(72);
  await move(event, later);

  expect(await listed(event.eventId)).toMatchObject([
    {
      title: expect.any(String),
      organization: accountInfo.organizationName,
      startedAt: event.startsAt,
      startsAt: later,
    },
  ]);
});

it('are listed whatever is left of add-ons [PRICE-6 WINDOW-0]', async () => {
  const event = await eventWith({ sold: 5, addOns: 100 });
  await move(event, inHours(72));

  expect(await listed(event.eventId)).toHaveLength(1);
});

it('are listed once, with the first start, however often they move', async () => {
  const event = await eventWith({ sold: 6 });
  await move(event, inHours(72));
  const last = inHours(96);
  await move(event, last);

  expect(await listed(event.eventId)).toMatchObject([{ startedAt: event.startsAt, startsAt: last }]);
});

it('are not listed with fewer tickets sold', async () => {
  const event = await eventWith({ sold: 4 });
  await move(event, inHours(72));

  expect(await listed(event.eventId)).toEqual([]);
});

it('are not listed for another venue, or once they are back where they were', async () => {
  const event = await eventWith({ sold: 5 });
  await editEventOf(app, event, { street: '12 Other Street' });
  expect(await listed(event.eventId)).toEqual([]);

  await move(event, inHours(72));
  expect(await listed(event.eventId)).toHaveLength(1);
  await move(event, event.startsAt);
  expect(await listed(event.eventId)).toEqual([]);
});

it('keep the time of the move through a later change of the venue', async () => {
  const event = await eventWith({ sold: 5 });
  await move(event, inHours(72));
  const [moved] = await listed(event.eventId);
  await app.advance({ minutes: 10 });
  await editEventOf(app, event, { street: '12 Other Street' });

  expect(await listed(event.eventId)).toEqual([moved]);
});

it('leave the list once they are cancelled or settled', async () => {
  const [cancelled, over] = [await eventWith({ sold: 5 }), await eventWith({ sold: 5 })];
  for (const event of [cancelled, over]) await move(event, inHours(72));
  expectOk(await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId }));
  expect(await listed(cancelled.eventId)).toEqual([]);

  expect(await listed(over.eventId)).toHaveLength(1);
  await app.advance({ hours: 400 + 24 });
  expect(await listed(over.eventId)).toEqual([]);
});

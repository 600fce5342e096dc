import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { cancelEvent, editEvent } from '#contract/app/events.ts';
import * as contract from '#contract/app/waiting-room.ts';
import { calledAt } from '#domain/waiting-room.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { eventForm, logInAgain } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import {
  eventWithWaitingRoom,
  inMinutes,
  join,
  joined,
  pollRoom,
  ratesIn,
  tryCheckout,
} from '#tests/support/waiting-room.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('an organizer during the sale', () => {
  const edit = async (
    { visitor, eventId }: { visitor: Visitor; eventId: string },
    sale: { salesStart: string; useWaitingRoom?: boolean; buyersPerMinute?: number },
  ) => visitor.call(editEvent, { ...eventForm(app), eventId, ...sale });

  it('can change the rate for buyers who are still waiting', async () => {
    const event = await eventWithWaitingRoom(app, 0, 1);
    for (let count = 1; count <= 5; count++) await joined(app, event.eventId);
    await app.advance({ minutes: 1 });
    expect(await edit(event, { ...event.sale, buyersPerMinute: 60 })).toMatchObject({ status: 200 });

    await expect.poll(async () => (await pollRoom(app, event.eventId)).rates.length).toBe(2);
    const room = await pollRoom(app, event.eventId);
    const seconds = (position: number) =>
      Math.round((calledAt(position, ratesIn(room)).getTime() - new Date(room.now).getTime()) / 1000);
    expect(seconds(1)).toBeLessThan(-55);
    expect(seconds(2)).toBeLessThan(1);
    expect(seconds(5)).toBeLessThan(4);
  });

  it('can raise the rate of an empty room, and later arrivals get a usable turn', async () => {
    const event = await eventWithWaitingRoom(app, 0, 10);
    await joined(app, event.eventId);
    await app.advance({ minutes: 30 });
    expect(await edit(event, { ...event.sale, buyersPerMinute: 300 })).toMatchObject({ status: 200 });
    await expect.poll(async () => (await pollRoom(app, event.eventId)).rates.length).toBe(2);

    const { visitor, position } = await joined(app, event.eventId);
    expect(position).toBeGreaterThan(300);
    await app.advance({ seconds: 1 });
    expect(await tryCheckout(visitor, event.eventId)).toMatchObject({ status: 200 });
  });

  it('can change the rate often without repeating the random draw', async () => {
    const event = await eventWithWaitingRoom(app, 1, 60);
    const early = await Promise.all(Array.from({ length: 10 }, () => joined(app, event.eventId)));
    await app.advance({ minutes: 1 });
    await joined(app, event.eventId);
    const positions = () =>
      Promise.all(early.map(async ({ visitor }) => (await join(visitor, event.eventId)).body.position ?? 0));
    const drawn = await positions();

    for (let perMinute = 1; perMinute <= 25; perMinute++)
      expect(await edit(event, { ...event.sale, buyersPerMinute: perMinute })).toMatchObject({ status: 200 });
    await expect.poll(async () => (await pollRoom(app, event.eventId)).rates.at(-1)?.perMinute).toBe(25);
    expect(await positions()).toEqual(drawn);
    expect((await pollRoom(app, event.eventId)).rates).toHaveLength(21);
  });

  it('can move the start until the first sale', async () => {
    const event = await eventWithWaitingRoom(app, 20);
    const later = inMinutes(app, 40);
    expect(await edit(event, { ...event.sale, salesStart: later })).toMatchObject({ status: 200 });

    await app.advance({ minutes: 25 });
    expect(await tryCheckout(app.visitor(), event.eventId)).toMatchObject({
      body: { code: 'waiting-room.sales-not-started' },
    });
    await app.advance({ minutes: 15 });
    const { visitor } = await joined(app, event.eventId);
    expect(await tryCheckout(visitor, event.eventId)).toMatchObject({ status: 200 });
    const muchLater = inMinutes(app, 40);
    expect(await edit(event, { ...event.sale, salesStart: muchLater })).toMatchObject({
      status: 409,
      body: { code: 'edit.sales-started' },
    });
  });

  it('can move a past start before the first sale, which resets the room', async () => {
    const event = await eventWithWaitingRoom(app, -24 * 60, 300);
    const { visitor: before, position: old } = await joined(app, event.eventId);
    expect(old).toBe(1);
    await app.advance({ minutes: 60 });
    expect((await joined(app, event.eventId)).position).toBeGreaterThan(10_000);

    await logInAgain(event);
    const corrected = { ...event.sale, salesStart: inMinutes(app, 30) };
    expect(await edit(event, corrected)).toMatchObject({ status: 200 });
    await expect
      .poll(async () => (await pollRoom(app, event.eventId)).rates)
      .toMatchObject([{ since: corrected.salesStart }]);
    const [here, there] = [await joined(app, event.eventId), await joined(app, event.eventId)];
    expect([here.position, there.position]).toEqual([null, null]);

    await app.advance({ minutes: 30 });
    const drawn = await Promise.all(
      [here, there].map(async ({ visitor }) => (await join(visitor, event.eventId)).body),
    );
    const room = await pollRoom(app, event.eventId);
    const waits = drawn.map(
      ({ position }) => calledAt(position ?? 0, ratesIn(room)).getTime() - Date.parse(corrected.salesStart),
    );
    expect(waits.toSorted((a, b) => a - b)).toEqual([0, 200]);
    expect(await tryCheckout(before, event.eventId)).toMatchObject({
      body: { code: 'waiting-room.no-pass' },
    });
    expect((await join(before, event.eventId)).body.position).toBeGreaterThan(old ?? 0);
  });

  it('can disable the room, move the start, and enable the room again', async () => {
    const event = await eventWithWaitingRoom(app, 0);
    await joined(app, event.eventId);
    const later = inMinutes(app, 40);

    expect(await edit(event, { salesStart: later, useWaitingRoom: false })).toMatchObject({ status: 200 });
    expect(await edit(event, { salesStart: later, useWaitingRoom: true, buyersPerMinute: 60 })).toMatchObject({
      status: 200,
    });
    await expect.poll(async () => (await pollRoom(app, event.eventId)).rates).toMatchObject([{ since: later }]);
  });

  it('can cancel the event, which closes the room', async () => {
    const event = await eventWithWaitingRoom(app, 0, 1);
    await joined(app, event.eventId);
    expect(await event.visitor.call(cancelEvent, { eventId: event.eventId })).toMatchObject({ status: 200 });

    await expect.poll(async () => (await app.call(contract.waitingRoom, { eventId: event.eventId })).status).toBe(404);
    expect(await tryCheckout(app.visitor(), event.eventId)).toMatchObject({
      status: 409,
      body: { code: 'checkout.event-cancelled' },
    });
  });

  it('can disable the room', async () => {
    const event = await eventWithWaitingRoom(app, 0, 1);
    expect(await edit(event, { salesStart: event.sale.salesStart, useWaitingRoom: false })).toMatchObject({
      status: 200,
    });

    await expect.poll(async () => (await tryCheckout(app.visitor(), event.eventId)).status).toBe(200);
  });
});

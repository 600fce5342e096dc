import { describe, expect, it } from 'vitest';
import { createEvent, publicEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { addDays } from '#domain/sales/sales-days.ts';
import { dayOfClockChange } from '#tests/support/clock-changes.ts';
import { at } from '#tests/support/money.ts';
import {
  buyTickets,
  codesOf,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  onboardedOrganizer,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const HOUR_MS = 60 * 60 * 1000;
const between = (startDate_startTime: string, endDate_endTime: string) =>
  eventForm(app, { timezone: 'America/New_York', startDate_startTime, endDate_endTime });

describe('POST /api/protected/event', () => {
  it('rejects a start or end in the hour that daylight saving skips', async () => {
    const { visitor } = await onboardedOrganizer(app);

    const day = dayOfClockChange(app.now(), 'skipped');
    for (const form of [
      between(`${day}T02:30`, `${day}T05:00`),
      between(`${addDays(day, -1)}T20:00`, `${day}T02:30`),
    ]) {
      const { status, body } = await visitor.call(createEvent, form);
      expect([status, body.msg]).toEqual([400, expect.stringContaining("doesn't exist")]);
    }
  });

  it('resolves a repeated hour generously: the earlier start, the later end', async () => {
    const { visitor } = await onboardedOrganizer(app);
    const day = dayOfClockChange(app.now(), 'repeated');
    const { eventId } = expectOk(await visitor.call(createEvent, between(`${day}T01:15`, `${day}T01:45`)));

    const { body } = await app.call(publicEvent, { eventId });

    expect(body).toMatchObject({
      startDate_startTime: `${day}T05:15:00.000Z`,
      endDate_endTime: `${day}T06:45:00.000Z`,
    });
  });
});

describe('POST /api/public/request-refund and /api/protected/requestPayout', () => {
  it('switch 24 hours after the end by elapsed time, even in a night of 23 hours', async () => {
    const day = dayOfClockChange(app.now(), 'skipped', 3);
    const eve = addDays(day, -1);
    const event = await eventOnSale(app, between(`${eve}T18:00`, `${eve}T20:00`));
    const { eventId, visitor } = event;
    const [first = '', second = '', third = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(6)));
    const end = new Date(`${day}T01:00:00.000Z`).getTime();
    const refund = (confirmationCode: string) => app.call(requestRefund, { eventId, confirmationCode });

    // By the wall clock a day has passed; by elapsed time 23 hours.
    await at(app, new Date(end + 23 * HOUR_MS), async () => expectOk(await refund(first)));
    await app.settle();
    await at(app, new Date(end + 24 * HOUR_MS - 1), async () => {
      await logInAgain(event);
      expect((await visitor.call(requestPayout, { eventId })).status).toBe(409);
      expectOk(await refund(second));
    });
    await app.settle();
    await at(app, new Date(end + 24 * HOUR_MS), async () => {
      await logInAgain(event);
      expect(await refund(third)).toMatchObject({ status: 409, body: { code: 'refund.window-closed' } });
      expectOk(await visitor.call(requestPayout, { eventId }));
    });
  });
});

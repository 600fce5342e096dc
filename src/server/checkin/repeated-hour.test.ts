/** Check-in hours in the night of 25 hours, when clocks fall back: they count real hours, and end in the second of two equal hours. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { syncScans } from '#contract/app/check-in-devices.ts';
import { instantOf, localTimeOf } from '#domain/local-time.ts';
import { advanceTo, at } from '#tests/support/money.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const after = (instant: Date, hours: number, ms = 0) => new Date(instant.getTime() + hours * HOUR + ms);

/** When the hour begins that local clocks show twice next. */
function nextRepeatedHour(zone: string): Date {
  const clock = (time: number) => localTimeOf(new Date(time), zone).slice(11);
  // In the day in all zones here, so that an earlier clock time is no other day's.
  let time = Math.ceil(app.now().getTime() / DAY) * DAY + 2 * DAY + 12 * HOUR;
  while (clock(time + DAY) >= clock(time)) time += DAY;
  while (clock(time) !== clock(time + HOUR)) time += HOUR;
  return new Date(time);
}

type Times = Record<'starts' | 'ends', Date> & Partial<Record<'opens' | 'closes', string>>;

/** Local times of the form. The form offers no zone of Europe: there, the times are sent as instants and the zone is stored. */
async function soldEvent(zone: string, { starts, ends, opens, closes }: Times) {
  const isOffered = zone.startsWith('America/');
  const typed = (text: string, repeated: 'earlier' | 'later') => {
    const instant = instantOf(text, zone, repeated);
    if (!(instant instanceof Date)) throw new Error(`${text} is no time in ${zone}`);
    return isOffered ? text : instant.toISOString();
  };
  const { eventId, attendantCode } = await eventOnSale(app, {
    startDate_startTime: starts.toISOString(),
    endDate_endTime: ends.toISOString(),
    ...(opens && { checkInOpens: typed(opens, 'earlier') }),
    ...(closes && { checkInCloses: typed(closes, 'later') }),
  });
  await sql`update events set timezone = ${zone} where id = ${eventId}`.execute(app.db);
  const codes = codesOf(await buyTickets(app, eventId, generalAdmission(4)));
  await app.settle();
  return { eventId, attendantCode, codes };
}

/** A device at the door, which scans at any instant. */
async function openDoor({ eventId, attendantCode }: Awaited<ReturnType<typeof soldEvent>>) {
  const device = await attendantOf(app, eventId, attendantCode);
  return {
    scan: (confirmationNumber = '', instant: Date) =>
      at(app, instant, async () => {
        const { status, body } = await device.call(checkGuest, { eventId, confirmationNumber });
        return status === 200 ? body.result : body;
      }),
    sync: (confirmationNumber = '', instant: Date) =>
      at(app, instant, async () => {
        const scans = [{ scanId: randomUUID(), confirmationNumber, at: instant.getTime() }];
        return expectOk(await device.call(syncScans, { eventId, scans })).results[0]?.result;
      }),
  };
}

describe.each([
  // An hour earlier on the clock than 12 hours after midnight, and after 11 PM.
  ['Europe/Berlin', '11:00 AM', 'GMT+2', 'GMT+1'],
  ['America/New_York', '10:00 AM', 'EDT', 'EST'],
])('check-in in the night of 25 hours in %s', (zone, twelveLater, summer, winter) => {
  it('closes 12 real hours after the end [WINDOW-2 WINDOW-3]', async () => {
    const ends = after(nextRepeatedHour(zone), -2);
    const opens = localTimeOf(after(ends, -5), zone);
    const event = await soldEvent(zone, { starts: after(ends, -3), ends, opens });
    const closes = after(ends, 12);
    await advanceTo(app, after(closes, -0.5));
    const { scan, sync } = await openDoor(event);

    expect(await scan(event.codes[0], after(closes, 0, -1))).toBe('admitted');
    expect(await scan(event.codes[1], closes)).toMatchObject({
      code: 'check-in.closed',
      params: { closed: expect.stringContaining(`${twelveLater} ${winter}`) },
    });
    expect(await sync(event.codes[1], closes)).toBe('outside-hours');
  });

  it('closes in the second of two equal hours, and opens in the first [WINDOW-2 WINDOW-3]', async () => {
    const first = after(nextRepeatedHour(zone), 0.5);
    const second = after(first, 1);
    const text = localTimeOf(first, zone);
    expect(localTimeOf(second, zone)).toBe(text);

    const closing = await soldEvent(zone, { starts: after(first, -4), ends: after(first, -1), closes: text });
    const opening = await soldEvent(zone, { starts: after(second, 2), ends: after(second, 5), opens: text });
    await advanceTo(app, after(first, -0.5));
    const closingDoor = await openDoor(closing);
    const openingDoor = await openDoor(opening);

    expect(await openingDoor.scan(opening.codes[0], after(first, 0, -1))).toMatchObject({
      code: 'check-in.not-open',
      params: { opens: expect.stringContaining(summer) },
    });
    expect(await openingDoor.sync(opening.codes[0], after(first, 0, -1))).toBe('outside-hours');
    expect(await openingDoor.scan(opening.codes[0], first)).toBe('admitted');
    expect(await closingDoor.scan(closing.codes[0], first)).toBe('admitted');
    expect(await closingDoor.scan(closing.codes[1], after(second, 0, -1))).toBe('admitted');
    expect(await closingDoor.scan(closing.codes[2], second)).toMatchObject({
      code: 'check-in.closed',
      params: { closed: expect.stringContaining(winter) },
    });
    expect(await closingDoor.sync(closing.codes[2], second)).toBe('outside-hours');
    // Made in time, and only synced now.
    expect(await closingDoor.sync(closing.codes[2], after(second, 0, -1))).toBe('first');
  });
});

import ical from 'ical.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent } from '#contract/app/events.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { inboxOf } from '#tests/support/inbox-of.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const DAY = 24 * 60 * 60 * 1000;

/** Read by a parser that isn't ours. */
function entryIn(file: string) {
  const component = new ical.Component(ical.parse(file)).getFirstSubcomponent('vevent');
  if (!component) throw new Error(`no event in:\n${file}`);
  const { uid, sequence, summary, location, description, startDate, endDate } = new ical.Event(component);
  return {
    uid,
    sequence,
    summary,
    location,
    description,
    start: startDate.toJSDate(),
    end: endDate.toJSDate(),
    status: component.getFirstPropertyValue('status'),
  };
}

async function fileOf(eventId: string): Promise<string> {
  const reply = await fetch(`${app.publicUrl}/payment/${eventId}/event.ics`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^text\/calendar; charset=utf-8/);
  return reply.text();
}

const timesOf = (eventId: string) =>
  app.db.selectFrom('events').where('id', '=', eventId).select(['startsAt', 'endsAt']).executeTakeFirstOrThrow();

describe('the calendar file of an event', () => {
  it('is an entry with its title, time and address, whatever characters they have [CAL-1]', async () => {
    const title = 'Brass; Bass, \\ & "Nails" – 🎺';
    const { eventId } = await eventOnSale(app, { title });
    const { startsAt, endsAt } = await timesOf(eventId);
    expect(entryIn(await fileOf(eventId))).toMatchObject({
      uid: `${eventId}@127.0.0.1`,
      sequence: 0,
      summary: title,
      location: '38 Withers St, Brooklyn, NY 11211',
      start: startsAt,
      end: endsAt,
      status: 'CONFIRMED',
      description: expect.stringContaining(`${app.publicUrl}/payment/${eventId}`),
    });
  });

  it('updates the entry after a move and a cancellation, in the emails too [CAL-2]', async () => {
    const event = await eventOnSale(app);
    const email = 'calendar@example.com';
    await buyTickets(app, event.eventId, generalAdmission(1), email);
    const sold = entryIn(await emailed(email));
    expect(sold).toEqual(entryIn(await fileOf(event.eventId)));

    const moved = new Date(sold.start.getTime() + DAY).toISOString();
    const end = new Date(sold.end.getTime() + DAY).toISOString();
    await editEventOf(app, event, { startDate_startTime: moved, endDate_endTime: end });
    await app.settle();
    expect(entryIn(await emailed(email))).toEqual({ ...sold, sequence: 1, start: new Date(moved), end: new Date(end) });

    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    await app.settle();
    expect(entryIn(await emailed(email))).toMatchObject({ uid: sold.uid, sequence: 2, status: 'CANCELLED' });
    expect(entryIn(await fileOf(event.eventId))).toMatchObject({ sequence: 2, status: 'CANCELLED' });
  });

  it('does not exist for an unknown event', async () => {
    for (const id of ['AAAAAAAAAAAAAAAA', 'x', '%2e%2e'])
      expect((await fetch(`${app.publicUrl}/payment/${id}/event.ics`)).status).toBe(404);
  });
});

/** Of the newest email to the address. */
async function emailed(address: string): Promise<string> {
  await app.settle();
  const [newest] = await inboxOf(app.db, address);
  const file = newest?.parts.find(({ contentType }) => contentType.startsWith('text/calendar'));
  if (!file) throw new Error(`no calendar file in "${newest?.subject}"`);
  return file.content.toString();
}

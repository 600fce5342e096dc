/** Ticket types for people who need access. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEvent, editEvent, editTickets, eventTickets, publicEvent } from '#contract/app/events.ts';
import { eventForm, eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const type = (ticketName: string, access?: '' | 'alone' | 'companion') => ({
  ticketName,
  ticketDescription: 'Seated',
  ticketPrice: 20,
  ticketQuantity: 20,
  ...(access !== undefined && { access }),
});

async function shownAt(eventId: string) {
  const { body } = await app.call(publicEvent, { eventId });
  return 'tickets' in body ? body.tickets.map(({ access }) => access) : [];
}

describe('an accessible ticket type', () => {
  it('says so on the event page, with or without a companion [FORM-8]', async () => {
    const { eventId } = await eventOnSale(app, {
      tickets: [type('Seat'), type('Wheelchair', 'alone'), type('Pair', 'companion'), type('Other', '')],
    });
    expect(await shownAt(eventId)).toEqual([undefined, 'alone', 'companion', undefined]);
  });

  it('is changed where tickets are edited, and kept by edits that leave it out', async () => {
    const { eventId, visitor } = await eventOnSale(app, { tickets: [type('Seat', 'alone')] });
    const { version: edited, tickets } = expectOk(await visitor.call(eventTickets, { eventId }));
    const ticketId = tickets[0]?.ticketId;
    expectOk(await visitor.call(editEvent, { ...eventForm(app), eventId, tickets: [{ ...type('Seat'), ticketId }] }));
    expect(await shownAt(eventId)).toEqual(['alone']);
    const edit = async (access: '' | 'companion') => {
      const { version } = expectOk(await visitor.call(eventTickets, { eventId }));
      const rows = [{ ...type('Seat', access), ticketId }];
      return visitor.call(editTickets, { eventId, version, tickets: rows, maxPerOrder: '', sharedCapacities: [] });
    };
    expectOk(await edit('companion'));
    expect(await shownAt(eventId)).toEqual(['companion']);
    expectOk(await edit(''));
    expect(await shownAt(eventId)).toEqual([undefined]);
    const stale = { eventId, version: edited, maxPerOrder: '', sharedCapacities: [] };
    const reply = await visitor.call(editTickets, { ...stale, tickets: [{ ...type('Seat', 'alone'), ticketId }] });
    expect(reply).toMatchObject({ status: 409, body: { code: 'event.changed' } });
  });

  it.each(['yes', 5, true, ['alone'], 'Alone'])('is rejected as %j', async (access) => {
    const { visitor } = await eventOnSale(app);
    const form = { ...eventForm(app), tickets: [{ ...type('Seat'), access }] };
    expect((await visitor.send(createEvent, form)).status).toBe(400);
  });
});

import { describe, expect, it } from 'vitest';
import type { OwnTicketType } from '#contract/app/events.ts';
import { organizerEvent } from '#tests/support/organizer-event.ts';
import { changesSince } from './event-changes.ts';

const before = organizerEvent();

/** Other than the first ticket type of that event has. */
const OTHER_TYPE: Required<Omit<OwnTicketType, 'ticketId' | 'available' | 'reserved' | 'ticketsSold'>> = {
  ticketName: 'Main floor',
  ticketDescription: 'Seated',
  ticketPrice: 26,
  ticketQuantity: 151,
  salesFrom: '2026-05-01T10:00:30.000Z',
  salesUntil: '2026-06-01T10:00:30.000Z',
  minPerOrder: 2,
  maxPerOrder: 6,
  opensAfter: 'balcony',
  isHidden: true,
  hasNamedPrice: true,
  suggestedPrice: 30,
  isAddOn: true,
  access: 'alone',
};

describe('changes since the form was loaded', () => {
  it('ignores new sales and photos', () => {
    const [floor, balcony] = before.tickets.map((ticket) => ({ ...ticket, available: 1 }));
    const tickets = [floor, balcony].filter((ticket) => ticket !== undefined);
    expect(changesSince(before, organizerEvent({ tickets, ticketsSold: 5, eventPhotos: ['/photos/1'] }))).toEqual([]);
  });

  it('lists the changed fields by label with their current values', () => {
    const now = organizerEvent({ title: 'Attic Brass', startDate_startTime: '2026-06-13T01:00:00.000Z' });
    expect(changesSince(before, now)).toEqual([
      { label: 'Title', now: 'Attic Brass' },
      { label: 'Start date and time', now: 'Fri, Jun 12, 2026, 9:00 PM EDT' },
    ]);
  });

  it('reports every change the version covers, including seconds and ticket order', () => {
    const later = organizerEvent({ startDate_startTime: '2026-06-13T00:00:30.000Z' });
    expect(changesSince(before, later)).toEqual([
      { label: 'Start date and time', now: 'Fri, Jun 12, 2026, 8:00 PM EDT' },
    ]);
    const [floor, balcony] = before.tickets;
    const sellingFrom = (salesFrom: string) =>
      organizerEvent({ tickets: [{ ...floor, salesFrom }, balcony] as typeof before.tickets });
    expect(changesSince(sellingFrom('2026-05-01T10:00:00.000Z'), sellingFrom('2026-05-01T10:00:30.000Z'))).toHaveLength(
      1,
    );
    const turned = organizerEvent({ tickets: [...before.tickets].reverse() });
    expect(changesSince(before, turned)).toEqual([{ label: 'Order of tickets', now: 'Balcony, Floor' }]);
  });

  it.each(Object.entries(OTHER_TYPE))('reports that %s of a ticket type was changed', (field, value) => {
    const [floor, balcony] = before.tickets;
    const tickets = [{ ...floor, [field]: value }, balcony] as typeof before.tickets;
    expect(changesSince(before, organizerEvent({ tickets }))).toHaveLength(1);
  });

  it('shortens a long description', () => {
    const [change] = changesSince(before, organizerEvent({ description: 'horns '.repeat(300) }));
    expect(change).toEqual({ label: 'Description', now: `${'horns '.repeat(26)}horn…` });
  });

  it('names the ticket type that was changed, added or removed', () => {
    const [floor] = before.tickets;
    const box = { ...before.tickets[0], ticketId: 'box', ticketName: 'Box' };
    const now = organizerEvent({ tickets: [{ ...floor, ticketPrice: 30 }, box] as typeof before.tickets });
    expect(changesSince(before, now)).toEqual([
      { label: 'Ticket', now: 'Floor, $30.00, 150 tickets, Standing' },
      { label: 'Ticket', now: 'Box, $25.00, 150 tickets, Standing' },
      { label: 'Ticket', now: 'Balcony removed' },
    ]);
  });
});

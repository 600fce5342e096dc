import { describe, expect, it } from 'vitest';
import { ticketType } from '#tests/support/organizer-event.ts';
import { withOwnTickets } from './use-open-checkouts.ts';

describe('the availability shown to a buyer with reserved tickets', () => {
  it('includes their own, by ticket type [RES-4]', () => {
    const type = (ticketId: string, available: number) => ticketType({ ticketId, available });
    const open = (ticketId: string, quantity: number) => ({
      handle: ticketId,
      eventId: 'e',
      title: 't',
      timezone: 'America/Chicago',
      tickets: [{ ticketId, ticketName: ticketId, quantity }],
      reservedUntil: '2026-05-01T20:00:00.000Z',
      sessionId: 's',
      url: '/',
    });

    const shown = withOwnTickets([type('floor', 0), type('balcony', 3)], [open('floor', 2), open('floor', 1)]);

    expect(shown.map(({ available }) => available)).toEqual([3, 3]);
  });
});

import { describe, expect, it } from 'vitest';
import { ticketRowsIn, withoutTicketRow } from './event-draft.ts';

const draft = {
  title: 'Basement Brass',
  'tickets.0.ticketName': 'Floor',
  'tickets.1.ticketName': 'Balcony',
  'tickets.1.ticketPrice': '40',
  'tickets.2.ticketName': 'Box',
};

describe('ticket rows in a draft', () => {
  it('starts with one row', () => {
    expect(ticketRowsIn({ title: 'Basement Brass' })).toBe(1);
    expect(ticketRowsIn(draft)).toBe(3);
  });

  it('moves the rows below a removed one up with all their fields', () => {
    expect(withoutTicketRow(draft, 0)).toEqual({
      title: 'Basement Brass',
      'tickets.0.ticketName': 'Balcony',
      'tickets.0.ticketPrice': '40',
      'tickets.1.ticketName': 'Box',
    });
    expect(withoutTicketRow(draft, 2)).toEqual({
      title: 'Basement Brass',
      'tickets.0.ticketName': 'Floor',
      'tickets.1.ticketName': 'Balcony',
      'tickets.1.ticketPrice': '40',
    });
  });
});

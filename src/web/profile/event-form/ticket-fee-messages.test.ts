import { describe, expect, it } from 'vitest';
import { reducedFeeNote, soldOutStatement, ticketFeeStatement } from './ticket-fee-messages.ts';

describe('ticket fee on the event form [EVT-16]', () => {
  it('shows the fee per paid ticket for the expected participants', () => {
    expect(ticketFeeStatement(499)).toBe(
      'Ticket fee: 2.0% + $0.75 per paid ticket. Sell 500 or more and it drops to 1.8% + $0.50 on every one.',
    );
    expect(ticketFeeStatement(500)).toBe('Ticket fee: 1.8% + $0.50 per paid ticket if you sell 500 or more.');
    expect(reducedFeeNote).toBe(
      'The reduced fee depends on paid tickets actually sold, not on the number you enter here.',
    );
  });

  it('uses the paid tickets of a sold-out event, as the payout does', () => {
    const paid = (tickets: number) => ({ priceCents: 20_00, tickets });
    const free = { priceCents: 0, tickets: 100 };
    expect(soldOutStatement([paid(499), free])).toEqual({ grossCents: 9980_00, netCents: 499 * 18_85 - 15_00 });
    expect(soldOutStatement([paid(500), free])).toEqual({ grossCents: 10_000_00, netCents: 500 * 19_14 - 15_00 });
  });

  it('never shows a negative payout for a sold-out event', () => {
    expect(soldOutStatement([{ priceCents: 50, tickets: 3 }])).toEqual({ grossCents: 1_50, netCents: 0 });
  });
});

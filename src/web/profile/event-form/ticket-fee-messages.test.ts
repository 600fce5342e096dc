import { describe, expect, it } from 'vitest';
import { STANDARD_TERMS as terms } from '#tests/support/standard-terms.ts';
import { receivedCents, reducedFeeNote, soldOutStatement, ticketFeeStatement } from './ticket-fee-messages.ts';

describe('ticket fee on the event form [EVT-16]', () => {
  it('shows the fee per paid ticket for the expected participants', () => {
    expect(ticketFeeStatement(499, terms)).toBe(
      'Ticket fee: 2.0% + $0.75 per paid ticket. Sell 500 or more and it drops to 1.8% + $0.50 on every one.',
    );
    expect(ticketFeeStatement(500, terms)).toBe('Ticket fee: 1.8% + $0.50 per paid ticket if you sell 500 or more.');
    expect(reducedFeeNote).toBe(
      'The reduced fee depends on paid tickets actually sold, not on the number you enter here.',
    );
  });

  it('reads the terms of the plan or of the event [PLAN-2]', () => {
    const partner = { ...terms, standard: { basisPoints: 225, flatCents: 0 }, largeFrom: 1000 };
    expect(ticketFeeStatement(500, partner)).toBe(
      'Ticket fee: 2.25% + $0.00 per paid ticket. Sell 1,000 or more and it drops to 1.8% + $0.50 on every one.',
    );
    expect(ticketFeeStatement(9, { ...terms, large: terms.standard })).toBe(
      'Ticket fee: 2.0% + $0.75 per paid ticket.',
    );
    expect(receivedCents(20_00, 999, partner)).toBe(19_55);
    expect(receivedCents(20_00, 1000, partner)).toBe(19_14);
  });

  it('uses the paid tickets of a sold-out event, as the payout does', () => {
    const paid = (tickets: number) => ({ priceCents: 20_00, tickets });
    const free = { priceCents: 0, tickets: 100 };
    expect(soldOutStatement([paid(499), free], terms)).toEqual({ grossCents: 9980_00, netCents: 499 * 18_85 - 15_00 });
    expect(soldOutStatement([paid(500), free], terms)).toEqual({
      grossCents: 10_000_00,
      netCents: 500 * 19_14 - 15_00,
    });
  });

  it('never shows a negative payout for a sold-out event', () => {
    expect(soldOutStatement([{ priceCents: 50, tickets: 3 }], terms)).toEqual({ grossCents: 1_50, netCents: 0 });
  });
});

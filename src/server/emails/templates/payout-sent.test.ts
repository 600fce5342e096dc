import { describe, expect, it } from 'vitest';
import { STANDARD_TICKET_FEE } from '#tests/support/standard-terms.ts';
import { renderLayout } from './layout.ts';
import { payoutSentEmail } from './payout-sent.ts';

const statement = {
  paidTickets: 4,
  freeTickets: 3,
  ticketsOnHold: 2,
  grossCents: 131_00,
  rate: STANDARD_TICKET_FEE,
  ticketFeesCents: 5_62,
  processingFeeCents: 15_00,
  onHoldCents: 50_00,
  deductedCents: 10_00,
  debtDeductedCents: 20_00,
  netCents: 80_38,
  refundedCents: 0,
};

function statementRows(of: typeof statement, seq = 1): string[] {
  const event = { title: 'Basement Brass', timezone: 'America/New_York', url: 'http://localhost/profile' };
  const email = renderLayout(payoutSentEmail({ ...event, seq, statement: of }));
  const lines = email.text.split('\n').filter((line) => /: [−-]?\$|: Waived/i.test(line));
  return lines.map((line) => line.trim());
}

describe('the statement in the payout email', () => {
  it('has every line that the profile shows', () => {
    expect(statementRows(statement)).toEqual([
      '9 tickets sold: $181.00.',
      'On hold, 2 disputed tickets: −$50.00.',
      'Ticket fees, 4 paid tickets at 2.0% + $0.75: −$5.62.',
      'Processing fee: −$15.00.',
      'Partial refunds: −$10.00.',
      'Owed from earlier payouts: −$20.00.',
      'You get: $80.38.',
    ]);
  });

  it('shows a waived processing fee', () => {
    expect(statementRows({ ...statement, processingFeeCents: 0, netCents: 95_38 })).toContain(
      'Processing fee: Waived.',
    );
  });

  it('counts the returned tickets of an additional payout and shows a zero fee without a minus sign', () => {
    const additional = {
      ...statement,
      paidTickets: 1,
      freeTickets: 0,
      ticketsOnHold: 0,
      grossCents: 24_00,
      ticketFeesCents: 0,
      processingFeeCents: 0,
      onHoldCents: 0,
      deductedCents: 0,
      debtDeductedCents: 0,
      netCents: 24_00,
    };
    expect(statementRows(additional, 2)).toEqual([
      'Returned, 1 paid ticket: $24.00.',
      'Ticket fees, 2.0% + $0.75 per paid ticket: $0.00.',
      'You get: $24.00.',
    ]);
  });
});

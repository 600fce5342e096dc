import { describe, expect, it } from 'vitest';
import { statement } from '#tests/support/payout-statement.ts';
import {
  additionalPayoutRows as additionalRowsOf,
  statementRows as rowsOf,
  type StatementRow,
  statementNotes,
} from './payouts.ts';

const NEW_YORK = 'America/New_York';
const statementRows = (of: typeof statement) => rowsOf(of, NEW_YORK);
const additionalPayoutRows = (of: typeof statement) => additionalRowsOf(of, NEW_YORK);

describe('payout statement [PAY-3]', () => {
  const some = {
    ...statement,
    ticketsSold: 9,
    gross: 181,
    ticketsOnHold: 2,
    onHold: 50,
    deducted: 10,
    refundCosts: 0.38,
    debtDeducted: 20,
    net: 80,
  };
  const text = ({ label, amount }: StatementRow) => `${label}: ${amount}`;
  const cents = ({ dollars }: StatementRow) => Math.round(dollars * 100);
  const written = ({ amount }: StatementRow) =>
    amount === 'Waived' ? 0 : Math.round(Number(amount.replace('−', '-').replaceAll(/[$,]/g, '')) * 100);

  it('lists refunds next to the total, if there are any', () => {
    const refunded = 'Refunded to buyers: $25.00. Not part of the sales above.';
    const discounts = 'Discounts given: $12.00. The sales above are what buyers paid.';
    expect(statementNotes(statement)).toEqual([refunded]);
    expect(statementNotes({ ...statement, discounts: 12 })).toEqual([refunded, discounts]);
    expect(statementNotes({ ...statement, refunded: 0 })).toEqual([]);
  });

  it('ends with the net amount', () => {
    expect(statementRows(statement).map(text)).toEqual([
      '4 tickets sold: $131.00',
      'Ticket fees, 4 paid tickets at 2.0% + $0.75: −$5.62',
      'Processing fee: −$15.00',
      'You get: $110.38',
    ]);
  });

  it('shows amounts on hold, refunded and owed', () => {
    expect(statementRows(some).map(text)).toEqual([
      '9 tickets sold: $181.00',
      'On hold, 2 disputed tickets: −$50.00',
      'Ticket fees, 4 paid tickets at 2.0% + $0.75: −$5.62',
      'Processing fee: −$15.00',
      'Partial refunds: −$10.00',
      'Card costs of refunds: −$0.38',
      'Owed from earlier payouts: −$20.00',
      'You get: $80.00',
    ]);
  });

  it('adds up: the last row is the sum of the others', () => {
    for (const one of [statement, some, { ...statement, ticketFees: 140, net: -24 }]) {
      const amounts = statementRows(one).map(cents);
      expect(statementRows(one).map(written)).toEqual(amounts);
      expect(amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBe(amounts.at(-1));
    }
  });

  it('has no fees without paid tickets', () => {
    const free = { ...statement, ticketsSold: 3, gross: 0, paidTickets: 0, ticketFees: 0, processingFee: 0, net: 0 };
    expect(statementRows(free).map(text)).toEqual(['3 tickets sold: $0.00', 'You get: $0.00']);
  });

  it('lists the returned amount of an additional payout', () => {
    const returned = { ...statement, ticketsSold: 0, paidTickets: 0, gross: 80, ticketFees: 3.1, net: 76.9 };
    expect(additionalPayoutRows(returned).map(text)).toEqual([
      'Returned: $80.00',
      'Ticket fees, 2.0% + $0.75 per paid ticket: −$3.10',
      'You get: $76.90',
    ]);
    expect(
      additionalPayoutRows({ ...returned, ticketsSold: 1, ticketFees: 0 })
        .map(text)
        .slice(0, 2),
    ).toEqual(['Returned, 1 paid ticket: $80.00', 'Ticket fees, 2.0% + $0.75 per paid ticket: $0.00']);
  });

  it('shows the part that is sent later, and then that part [BRAKE-3]', () => {
    const held = [{ kind: 'rest' as const, amount: 60.38, until: '2026-07-01T03:30:00Z' }];
    expect(
      statementRows({ ...statement, held, net: 50 })
        .map(text)
        .slice(-2),
    ).toEqual(['The rest, sent on June 30: −$60.38', 'You get: $50.00']);
    const rest = { ...statement, ticketsSold: 0, gross: 60.38, ticketFees: 0, released: 'rest' as const, net: 60.38 };
    expect(additionalPayoutRows(rest).map(text)).toEqual(['The rest of your first payout: $60.38', 'You get: $60.38']);
  });

  it('shows a waived processing fee, and a single ticket', () => {
    const [sold, , fee] = statementRows({ ...statement, ticketsSold: 1, paidTickets: 1, processingFee: 0 });
    expect(sold?.label).toBe('1 ticket sold');
    expect(fee).toEqual({ label: 'Processing fee', amount: 'Waived', dollars: 0 });
  });

  it('shows a negative net as nothing to pay out', () => {
    const rows = statementRows({ ...statement, net: -3.5 });
    expect(rows.at(-1)).toMatchObject({ label: 'Net, nothing to pay out', amount: '−$3.50' });
  });
});

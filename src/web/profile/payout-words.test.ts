import { describe, expect, it } from 'vitest';
import type { OrganizerEvent } from '#contract/events.ts';
import { organizerEvent } from '#tests/support/organizer-event.ts';
import { countdown, furtherLines, furtherNote, payoutNote, payoutSteps, statementLines } from './payout-words.ts';

const at = (instant: string) => new Date(instant);
const withPayout = (payout: Partial<OrganizerEvent['payout']>, facts: Partial<OrganizerEvent> = {}) => {
  const event = organizerEvent(facts);
  return { ...event, payout: { ...event.payout, ...payout } };
};
const progress = (event: OrganizerEvent, now: Date) =>
  payoutSteps(event, now).map((step) => `${step.label}: ${step.is}`);

describe('the way to a payout [PAY-2]', () => {
  it('waits for the end of the event while tickets sell, and counts down to the day after it', () => {
    const steps = payoutSteps(organizerEvent(), at('2026-06-11T23:30:00Z'));
    expect(steps.map((step) => step.is)).toEqual(['done', 'next', 'ahead', 'ahead', 'ahead']);
    expect(steps[1]?.note).toBe('Fri, Jun 12, 2026, 11:30 PM EDT');
    expect(steps[2]?.note).toBe('Sat, Jun 13, 2026, 11:30 PM EDT, in 2 days 4 h');
  });

  it('waits a day longer once the event has ended', () => {
    expect(progress(organizerEvent(), at('2026-06-13T03:30:00Z'))).toEqual([
      'On sale: done',
      'Ended: done',
      '+24 h: next',
      'Requested: ahead',
      'Paid: ahead',
    ]);
  });

  it.each([
    ['open', ['done', 'done', 'done', 'next', 'ahead']],
    ['requested', ['done', 'done', 'done', 'done', 'next']],
    ['awaiting-funds', ['done', 'done', 'done', 'done', 'next']],
    ['awaiting-account', ['done', 'done', 'done', 'done', 'next']],
    ['paid', ['done', 'done', 'done', 'done', 'done']],
  ] as const)('believes the server that it is %s, whatever the clock here shows', (state, expected) => {
    const steps = payoutSteps(withPayout({ state }), at('2026-01-01T00:00:00Z'));
    expect(steps.map((step) => step.is)).toEqual(expected);
  });

  it('says when the money was paid', () => {
    const paid = withPayout({ state: 'paid', paidAt: '2026-06-15T16:00:00.000Z' });
    expect(payoutSteps(paid, at('2026-06-20T00:00:00Z')).at(-1)?.note).toBe('Mon, Jun 15, 2026, 12:00 PM EDT');
  });
});

describe('a countdown', () => {
  it.each([
    ['2026-06-11T03:30:00Z', 'in 3 days'],
    ['2026-06-12T23:29:00Z', 'in 1 day 4 h'],
    ['2026-06-13T22:18:00Z', 'in 5 h 12 min'],
    ['2026-06-13T22:30:00Z', 'in 5 h'],
    ['2026-06-14T03:29:30Z', 'in 1 min'],
    ['2026-06-14T03:30:00Z', 'any moment now'],
  ])('from %s says %s', (now, words) => {
    expect(countdown(at('2026-06-14T03:30:00.000Z'), at(now))).toBe(words);
  });
});

describe('the statement before a payout [PAY-3]', () => {
  const statement = {
    ticketsSold: 4,
    gross: 131,
    ticketFeeRate: '2.0% + $0.75',
    ticketFees: 5.62,
    processingFee: 15,
    refunded: 25,
    withheld: 0,
    deducted: 0,
    keptForDebt: 0,
    net: 110.38,
  };

  it('lists gross, ticket fees with their rate, processing fee and refunds', () => {
    expect(statementLines(withPayout({ statement })).map(({ label, amount }) => `${label}: ${amount}`)).toEqual([
      'Gross, 4 tickets: $131.00',
      'Ticket fees, 2.0% + $0.75 per ticket: −$5.62',
      'Processing fee: −$15.00',
      'Refunds, already left out of the gross: $25.00',
      'Net, what you receive: $110.38',
    ]);
  });

  it('shows what is disputed, deducted and kept where there is some, and nothing of it otherwise', () => {
    const some = { ...statement, withheld: 50, deducted: 10, keptForDebt: 20, net: 80.38 };
    expect(statementLines(withPayout({ statement: some })).map(({ label, amount }) => `${label}: ${amount}`)).toEqual([
      'Gross, 4 tickets: $131.00',
      'Ticket fees, 2.0% + $0.75 per ticket: −$5.62',
      'Processing fee: −$15.00',
      'Given back to buyers who keep their tickets: −$10.00',
      'Kept for what you owe from earlier payouts: −$20.00',
      'Refunds, already left out of the gross: $25.00',
      'Disputed, left out until a bank decides: $50.00',
      'Net, what you receive: $80.38',
    ]);
  });

  it('lists a further payout with what it returns', () => {
    const returned = {
      ...statement,
      ticketsSold: 0,
      gross: 80,
      ticketFees: 3.1,
      processingFee: 0,
      refunded: 0,
      net: 76.9,
    };
    const further = {
      state: 'paid' as const,
      requestedAt: '2026-06-20T00:00:00Z',
      paidAt: '2026-06-20T16:00:00Z',
      statement: returned,
    };
    expect(furtherLines(further).map(({ label, amount }) => `${label}: ${amount}`)).toEqual([
      'Returned: $80.00',
      'Ticket fees, 2.0% + $0.75 per ticket: −$3.10',
      'Net, what you receive: $76.90',
    ]);
    expect(furtherNote(further, 'America/New_York')).toBe('Sent, Sat, Jun 20, 2026, 12:00 PM EDT.');
  });

  it('says that the processing fee is waived, and counts one ticket as one', () => {
    const waived = withPayout(
      { statement: { ...statement, ticketsSold: 1, processingFee: 0 } },
      { feeWaiveStatus: true },
    );
    expect(statementLines(waived)[0]?.label).toBe('Gross, 1 ticket');
    expect(statementLines(waived)[2]?.amount).toBe('Waived');
  });

  it('promises nothing where the fees eat the sales', () => {
    const lines = statementLines(withPayout({ statement: { ...statement, net: -3.5 } }));
    expect(lines.at(-1)).toMatchObject({ label: 'Net, nothing to pay out', amount: '-$3.50' });
  });

  it('says why a payout waits for its account, and what one that brought nothing did', () => {
    expect(payoutNote(withPayout({ state: 'awaiting-account' }))).toContain('cannot take money at the moment');
    const settled = withPayout({ state: 'paid', statement: { ...statement, keptForDebt: 110.38, net: 0 } });
    expect(payoutNote(settled)).toBe('The payout settled what you owed.');
    const disputed = withPayout({
      state: 'nothing-to-pay',
      statement: { ...statement, ticketsSold: 0, withheld: 131 },
    });
    expect(payoutNote(disputed)).toContain('disputed by their buyers');
  });

  it('explains why there is nothing to pay', () => {
    expect(payoutNote(withPayout({ state: 'nothing-to-pay' }))).toBe(
      'No tickets were sold, so there is nothing to pay out.',
    );
    expect(payoutNote(withPayout({ state: 'nothing-to-pay', statement: { ...statement, net: -3 } }))).toBe(
      'The fees are as high as the sales, so there is nothing to pay out.',
    );
  });
});

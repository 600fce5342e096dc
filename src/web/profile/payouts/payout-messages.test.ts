import { describe, expect, it } from 'vitest';
import type { OrganizerEvent } from '#contract/events.ts';
import type { PayoutObstacle } from '#domain/settlement.ts';
import { organizerEvent } from '#tests/support/organizer-event.ts';
import { statement } from '#tests/support/payout-statement.ts';
import { countdown, furtherNote, payoutNote, payoutSteps, refundedNote } from './payout-messages.ts';

const at = (instant: string) => new Date(instant);
const withPayout = (payout: Partial<OrganizerEvent['payout']>, facts: Partial<OrganizerEvent> = {}) => {
  const event = organizerEvent(facts);
  return { ...event, payout: { ...event.payout, ...payout } };
};
const progress = (event: OrganizerEvent, now: Date) =>
  payoutSteps(event, now).map((step) => `${step.label}: ${step.is}`);

describe('the way to a payout [PAY-2]', () => {
  it('is on sale until the event ends, and counts down to the day after it', () => {
    const steps = payoutSteps(organizerEvent(), at('2026-06-11T23:30:00Z'));
    expect(steps.map((step) => step.is)).toEqual(['next', 'ahead', 'ahead', 'ahead', 'ahead']);
    expect(steps[1]?.note).toBe('Fri, Jun 12, 2026, 11:30 PM EDT');
    expect(steps[2]?.note).toBe('Sat, Jun 13, 2026, 11:30 PM EDT, in 2 days 4 hr');
  });

  it('is scheduled until its sales start', () => {
    const scheduled = organizerEvent({ salesStartAt: '2026-06-05T14:00:00.000Z' });
    expect(payoutSteps(scheduled, at('2026-06-01T00:00:00Z'))[0]).toEqual({
      label: 'Scheduled',
      note: 'Sales start Fri, Jun 5, 2026, 10:00 AM EDT.',
      is: 'next',
    });
    expect(progress(scheduled, at('2026-06-05T14:00:00Z'))[0]).toBe('On sale: next');
  });

  it('waits a day longer once the event has ended', () => {
    expect(progress(organizerEvent(), at('2026-06-13T03:30:00Z'))).toEqual([
      'On sale: done',
      'Ended: done',
      '24 hours later: next',
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
    ['2026-06-12T23:29:00Z', 'in 1 day 4 hr'],
    ['2026-06-13T22:18:00Z', 'in 5 hr 12 min'],
    ['2026-06-13T22:30:00Z', 'in 5 hr'],
    ['2026-06-14T03:29:30Z', 'in 1 min'],
    ['2026-06-14T03:30:00Z', 'any moment now'],
  ])('from %s says %s', (now, words) => {
    expect(countdown(at('2026-06-14T03:30:00.000Z'), at(now))).toBe(words);
  });
});

describe('what is said of a payout [PAY-3]', () => {
  const early = at('2026-06-01T00:00:00Z');

  it('tells refunds beside the sum, where there are any', () => {
    expect(refundedNote(statement)).toBe('Refunded to buyers: $25.00. Not part of the sales above.');
    expect(refundedNote({ ...statement, refunded: 0 })).toBeNull();
  });

  it('says when a further payout was sent', () => {
    const further = {
      state: 'paid' as const,
      requestedAt: '2026-06-20T00:00:00Z',
      paidAt: '2026-06-20T16:00:00Z',
      statement,
    };
    expect(furtherNote(further, 'America/New_York')).toBe('Sent, Sat, Jun 20, 2026, 12:00 PM EDT.');
  });

  it('says why a payout waits for its account, and what one that brought nothing did', () => {
    expect(payoutNote(withPayout({ state: 'awaiting-account' }), early)).toContain('cannot take money at the moment');
    const settled = withPayout({ state: 'paid', statement: { ...statement, keptForDebt: 110.38, net: 0 } });
    expect(payoutNote(settled, early)).toBe('The payout settled what you owed.');
    const disputed = withPayout({
      state: 'nothing-to-pay',
      obstacle: 'all-disputed',
    });
    expect(payoutNote(disputed, early)).toContain('disputed by their buyers');
  });

  it('says that nothing was sold as soon as such an event has ended', () => {
    const over = at('2026-06-13T03:30:00Z');
    expect(payoutNote(organizerEvent(), over)).toBe('No tickets were sold, so there is nothing to pay out.');
    expect(payoutNote(organizerEvent({ ticketsSold: 1 }), over)).toBe(
      'A payout can be requested from 24 hours after the event ends.',
    );
  });

  it('explains why there is nothing to pay', () => {
    const note = (obstacle: PayoutObstacle) => payoutNote(withPayout({ state: 'nothing-to-pay', obstacle }), early);
    expect(note('nothing-sold')).toBe('No tickets were sold, so there is nothing to pay out.');
    expect(note('only-free-tickets')).toBe("Only free tickets were sold, so there's nothing to pay out.");
    expect(note('fees-exceed-sales')).toBe('The fees are as high as the sales, so there is nothing to pay out.');
  });
});

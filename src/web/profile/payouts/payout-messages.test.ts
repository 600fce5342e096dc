import { describe, expect, it } from 'vitest';
import type { OrganizerEvent } from '#contract/app/events.ts';
import type { PayoutDenial } from '#domain/settlement.ts';
import { organizerEvent } from '#tests/support/organizer-event.ts';
import { statement } from '#tests/support/payout-statement.ts';
import { additionalPayoutNote, countdown, payoutNote, payoutSteps } from './payout-messages.ts';

const at = (instant: string) => new Date(instant);
const withPayout = (payout: Partial<OrganizerEvent['payout']>, overrides: Partial<OrganizerEvent> = {}) => {
  const event = organizerEvent(overrides);
  return { ...event, payout: { ...event.payout, ...payout } };
};
const progress = (event: OrganizerEvent, now: Date) =>
  payoutSteps(event, now).map((step) => `${step.label}: ${step.is}`);

describe('payout timeline [PAY-2]', () => {
  it('is on sale until the event ends and counts down to the payout', () => {
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

  it('waits 24 more hours after the event ends', () => {
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
  ] as const)('trusts the server that it is %s, over the clock of this device', (state, expected) => {
    const steps = payoutSteps(withPayout({ state }), at('2026-01-01T00:00:00Z'));
    expect(steps.map((step) => step.is)).toEqual(expected);
  });

  it('shows when the payout was sent', () => {
    const paid = withPayout({ state: 'paid', paidAt: '2026-06-15T16:00:00.000Z' });
    expect(payoutSteps(paid, at('2026-06-20T00:00:00Z')).at(-1)?.note).toBe('Mon, Jun 15, 2026, 12:00 PM EDT');
  });
});

describe('countdown', () => {
  it.each([
    ['2026-06-11T03:30:00Z', 'in 3 days'],
    ['2026-06-12T23:29:00Z', 'in 1 day 4 hr'],
    ['2026-06-13T22:18:00Z', 'in 5 hr 12 min'],
    ['2026-06-13T22:30:00Z', 'in 5 hr'],
    ['2026-06-14T03:29:30Z', 'in 1 min'],
    ['2026-06-14T03:30:00Z', 'any moment now'],
  ])('from %s shows %s', (now, text) => {
    expect(countdown(at('2026-06-14T03:30:00.000Z'), at(now))).toBe(text);
  });
});

describe('payout notes [PAY-3]', () => {
  const early = at('2026-06-01T00:00:00Z');

  it('shows when an additional payout was sent', () => {
    const further = {
      state: 'paid' as const,
      requestedAt: '2026-06-20T00:00:00Z',
      paidAt: '2026-06-20T16:00:00Z',
      statement,
    };
    expect(additionalPayoutNote(further, 'America/New_York')).toBe('Sent, Sat, Jun 20, 2026, 12:00 PM EDT.');
  });

  it('explains a payout that waits for its account, and one that paid nothing', () => {
    expect(payoutNote(withPayout({ state: 'awaiting-account' }), early)).toContain('Stripe needs something from you');
    const settled = withPayout({ state: 'paid', statement: { ...statement, debtDeducted: 110.38, net: 0 } });
    expect(payoutNote(settled, early)).toBe('This payout covered what you owed.');
    const disputed = withPayout({
      state: 'nothing-to-pay',
      denial: 'all-disputed',
    });
    expect(payoutNote(disputed, early)).toContain('in dispute');
  });

  it('shows that nothing was sold as soon as the event has ended', () => {
    const over = at('2026-06-13T03:30:00Z');
    expect(payoutNote(organizerEvent(), over)).toBe("No tickets were sold, so there's nothing to pay out.");
    expect(payoutNote(organizerEvent({ ticketsSold: 1 }), over)).toBe(
      'You can request your payout 24 hours after the event ends.',
    );
  });

  it('explains why there is nothing to pay out', () => {
    const note = (denial: PayoutDenial) => payoutNote(withPayout({ state: 'nothing-to-pay', denial }), early);
    expect(note('nothing-sold')).toBe("No tickets were sold, so there's nothing to pay out.");
    expect(note('only-free-tickets')).toBe("Only free tickets were sold, so there's nothing to pay out.");
    expect(note('fees-exceed-sales')).toBe("Fees used up these sales, so there's nothing to pay out.");
  });
});

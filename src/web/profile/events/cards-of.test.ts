import { describe, expect, it } from 'vitest';
import { organizerEvent } from '#tests/support/organizer-event.ts';
import { cardsOf } from './cards-of.ts';

const now = new Date('2026-06-01T12:00:00Z');
const at = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();
const event = (eventId: string, change: Parameters<typeof organizerEvent>[0] = {}) =>
  organizerEvent({ eventId, startDate_startTime: at(1), endDate_endTime: at(2), ...change });
const over = { startDate_startTime: at(-9), endDate_endTime: at(-8) };
const paid = (paidAt: string) => ({ ...over, payout: { ...event('x').payout, state: 'paid' as const, paidAt } });
const idsOf = (...events: Parameters<typeof cardsOf>[0]) =>
  cardsOf(events, now, new Set()).map(({ eventId }) => eventId);

describe('the cards of the profile', () => {
  it('are the next events by date, then those with money to come, then drafts, and at most four', () => {
    const later = event('later', { startDate_startTime: at(5), endDate_endTime: at(6) });
    const unpaid = event('unpaid', { ...over, payout: { ...event('x').payout, state: 'open' } });

    expect(idsOf(event('draft', { isDraft: true }), later, unpaid, event('next'))).toEqual([
      'next',
      'later',
      'unpaid',
      'draft',
    ]);
    expect(idsOf(...['a', 'b', 'c', 'd', 'e'].map((id) => event(id)))).toHaveLength(4);
  });

  it('are one of each series: its next date, its next draft, and each date with money to come', () => {
    const seriesId = 'brass-on-fridays';
    const on = (days: number) => ({ seriesId, startDate_startTime: at(days), endDate_endTime: at(days) });
    const unpaid = { ...over, seriesId, payout: { ...event('x').payout, state: 'open' as const } };

    expect(
      idsOf(
        event('third', on(21)),
        event('second', on(14)),
        event('later draft', { ...on(35), isDraft: true }),
        event('draft', { ...on(28), isDraft: true }),
        event('unpaid', unpaid),
        event('unpaid, too', unpaid),
      ),
    ).toEqual(['second', 'unpaid', 'unpaid, too', 'draft']);
  });

  it('show a payout for a week, and an event that had a card as long as the page is open', () => {
    expect(idsOf(event('new', paid(at(-6))), event('old', paid(at(-8))))).toEqual(['new']);
    expect(cardsOf([event('old', paid(at(-8)))], now, new Set(['old']))).toHaveLength(1);
  });

  it('leave out what is over without money, and what is cancelled and refunded', () => {
    const nothing = event('nothing', { ...over, payout: { ...event('x').payout, state: 'nothing-to-pay' } });
    const cancelled = { ...over, isCancelled: true, cancellation: { refunds: 2, refunded: 2, failed: 0 } };

    expect(idsOf(nothing, event('refunded', cancelled))).toEqual([]);
    expect(idsOf(event('refunding', { ...cancelled, cancellation: { refunds: 2, refunded: 1, failed: 0 } }))).toEqual([
      'refunding',
    ]);
  });
});

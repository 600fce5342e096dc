import { describe, expect, it } from 'vitest';
import { organizerEvent } from '#tests/support/organizer-event.ts';
import { money, refundOutlook, soldOf, statusOf } from './event-figures.ts';

const guest = (email: string, ticketName = 'Floor') => ({
  email,
  confirmationNumber: '4829103756',
  ticketScanned: false,
  state: 'valid' as const,
  ticketName,
  ticketPrice: 25,
});

const sold = {
  ticketsSold: 4,
  gross: 100,
  guestList: [
    guest('sam@example.com'),
    guest('Sam@example.com'),
    guest('lee@example.com'),
    guest('kim@example.com', 'Balcony'),
  ],
};

describe('what cancelling an event gives back', () => {
  it('counts people, not tickets', () => {
    expect(refundOutlook(organizerEvent(sold))).toBe('3 buyers get $100.00 back for 4 tickets.');
    expect(refundOutlook(organizerEvent({ ticketsSold: 1, gross: 25, guestList: [guest('sam@example.com')] }))).toBe(
      '1 buyer gets $25.00 back for 1 ticket.',
    );
  });

  it('does not count people of whom only a first page is known', () => {
    expect(refundOutlook(organizerEvent({ ...sold, ticketsSold: 1420, gross: 35_500, guestListNext: 'x' }))).toBe(
      'The buyers of 1,420 tickets get $35,500.00 back.',
    );
  });

  it('is nothing where nothing was sold', () => {
    expect(refundOutlook(organizerEvent())).toBe('No tickets are sold, so there is nothing to give back.');
  });
});

describe('the figures of an event', () => {
  it('knows how many tickets of a type were sold at least', () => {
    expect(soldOf(organizerEvent(sold), 'floor')).toBe(3);
    expect(soldOf(organizerEvent(sold), 'balcony')).toBe(1);
    expect(soldOf(organizerEvent(sold), 'unknown')).toBe(0);
  });

  it('writes sums without the dust of floats, and debts with their sign', () => {
    expect(money(0.1 + 0.2)).toBe('$0.30');
    expect(money(-14.25)).toBe('-$14.25');
  });

  it('has ended once its payout is open, also where this clock is behind', () => {
    const early = new Date('2026-01-01T00:00:00Z');
    const event = organizerEvent();
    expect(statusOf(event, early)).toBe('On sale');
    expect(statusOf({ ...event, payout: { ...event.payout, state: 'open' } }, early)).toBe('Ended');
    expect(statusOf(event, new Date('2026-06-13T03:30:00Z'))).toBe('Ended');
    expect(statusOf({ ...event, isCancelled: true }, early)).toBe('Cancelled');
  });
});

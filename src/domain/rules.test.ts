import { describe, expect, it } from 'vitest';
import { denyCode } from './accounts/affiliate.ts';
import { denyAge, isSampleTaxId, openOnboardingSteps } from './accounts/onboarding.ts';
import { shownAvailability } from './availability.ts';
import { CODE_ALPHABET, normalizeCode } from './codes.ts';
import { denyCancel, denyEdit, denySchedule } from './event-schedule.ts';
import { characterCount, PHOTO_BYTES_MAX, UPLOAD_BYTES_MAX } from './limits.ts';
import { hashBits } from './offline-list.ts';
import { denyOrder, denySale, orderTotalCents } from './order.ts';
import { hasReceivedPayment, type OrderState } from './payment.ts';
import { denyPlan } from './plan.ts';
import { denyAdmission } from './tickets.ts';

const at = (text: string) => new Date(text);

describe('the age requirement', () => {
  const on = at('2026-11-21T00:00:00Z');

  it.each(['2008-11-21', '2008-02-29', '2008-10-31', '1900-01-01'])('accepts an organizer born %s', (born) => {
    expect(denyAge(born, on)).toBeNull();
  });

  it.each(['2008-11-22', '2008-12-01', '2026-11-21', '2026-11-22', '2999-01-01', '1899-12-31', '0190-04-12'])(
    'denies an organizer born %s',
    (born) => {
      expect(denyAge(born, on)).toBe('too-young');
    },
  );

  it.each([
    '2007-02-29',
    '2999-02-29',
    '2000-00-01',
    '2000-13-01',
    '2000-11-00',
    '2000-11-99',
    '21/11/2000',
    ' 2000-11-21',
    '2000-11-21T',
    '',
  ])('rejects the birth date "%s"', (born) => {
    expect(denyAge(born, on)).toBe('no-such-date');
  });
});

describe('the availability shown', () => {
  it.each([
    [-1, 0],
    [0, 0],
    [1, 1],
    [10, 10],
    [19, 19],
    [20, 20],
    [29, 20],
    [37, 30],
    [482, 400],
    [100_000, 100_000],
  ])('rounds %i left to %i', (left, shown) => {
    expect(shownAvailability(left)).toBe(shown);
  });
});

describe('an attendant code', () => {
  it('ignores case, spaces and hyphens, and accepts easily confused letters', () => {
    expect(normalizeCode(' 7q4m-k2xpOI ')).toBe('7Q4MK2XP01');
    expect(normalizeCode('o-L l')).toBe('011');
  });

  it('uses 32 letters and digits that are hard to confuse', () => {
    expect(new Set(CODE_ALPHABET).size).toBe(32);
    expect(normalizeCode(CODE_ALPHABET.toLowerCase())).toBe(CODE_ALPHABET);
  });
});

describe('an event schedule', () => {
  const now = at('2026-06-01T00:00:00Z');
  const schedule = { startsAt: at('2026-06-12T20:00:00Z'), endsAt: at('2026-06-12T23:00:00Z') };

  it('starts in the future, unless an existing event is edited', () => {
    const past = { ...schedule, startsAt: now };
    expect(denySchedule(schedule, now, { mayStartInPast: false })).toBeNull();
    expect(denySchedule(past, now, { mayStartInPast: false })).toBe('start-in-past');
    expect(denySchedule(past, now, { mayStartInPast: true })).toBeNull();
  });

  it('ends after it starts, and within a year', () => {
    const backwards = { startsAt: schedule.endsAt, endsAt: schedule.startsAt };
    const endless = { ...schedule, endsAt: at('2027-07-12T20:00:00Z') };
    expect(denySchedule(backwards, now, { mayStartInPast: false })).toBe('end-before-start');
    expect(denySchedule(endless, now, { mayStartInPast: false })).toBe('too-long');
  });

  it('lasts between 0 milliseconds and 366 days', () => {
    const lasting = (ms: number) => ({ ...schedule, endsAt: new Date(schedule.startsAt.getTime() + ms) });
    const longest = 366 * 24 * 3_600_000;
    expect(denySchedule(lasting(0), now, { mayStartInPast: false })).toBeNull();
    expect(denySchedule(lasting(longest), now, { mayStartInPast: false })).toBeNull();
    expect(denySchedule(lasting(longest + 1), now, { mayStartInPast: false })).toBe('too-long');
  });

  it('sells until the event ends', () => {
    const event = { endsAt: schedule.endsAt, cancelledAt: null };
    expect(denySale(event, at('2026-06-12T22:59:59Z'))).toBeNull();
    expect(denySale(event, schedule.endsAt)).toBe('event-ended');
    expect(denySale({ ...event, cancelledAt: now }, now)).toBe('event-cancelled');
  });
});

describe('editing an event', () => {
  const now = at('2026-06-13T00:00:00Z');
  const [earlier, later] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
  const over = { endsAt: at('2026-06-12T23:00:00Z'), cancelledAt: null, isPaidOut: false, hasSales: true };

  it.each([
    ['may move the end into the future', over, later, null],
    ['cannot move the end of an event with sales to now', over, now, 'end-in-past'],
    ['cannot move the end of an event with sales into the past', over, earlier, 'end-in-past'],
    ['may leave an end in the past unchanged', over, over.endsAt, null],
    ['may move the end of an event without sales anywhere', { ...over, hasSales: false }, earlier, null],
    ['is denied after the payout', { ...over, isPaidOut: true }, later, 'event-paid-out'],
    ['is denied once cancelled', { ...over, isPaidOut: true, cancelledAt: now }, later, 'event-cancelled'],
  ])('%s', (_case, event, newEnd, denial) => {
    expect(denyEdit(event, newEnd, now)).toBe(denial);
  });
});

describe('cancelling an event', () => {
  const endsAt = at('2026-06-12T23:00:00Z');
  const unsold = { endsAt, isPaidOut: false, hasEverSold: false };
  const before = new Date(endsAt.getTime() - 1);

  it.each([
    ['is possible until it ends', unsold, before, null],
    ['is denied once it has ended without sales', unsold, endsAt, 'nothing-sold'],
    ['is possible after the end if it has sold', { ...unsold, hasEverSold: true }, endsAt, null],
    ['is denied after the payout', { ...unsold, hasEverSold: true, isPaidOut: true }, endsAt, 'event-paid-out'],
  ])('%s', (_case, event, now, denial) => {
    expect(denyCancel(event, now)).toBe(denial);
  });
});

describe('an order', () => {
  const line = (quantity: number, unitPriceCents: number) => ({ quantity, unitPriceCents });

  it('totals its lines', () => {
    expect(orderTotalCents([line(2, 2400), line(1, 3800)])).toBe(8600);
  });

  it.each([
    [[], 'empty-cart'],
    [[line(101, 0)], 'too-many-tickets'],
    [[line(20, 5_000_000)], 'total-too-large'],
    [[line(1, 49)], 'total-too-small'],
    [[line(2, 25)], null],
    [[line(3, 0)], null],
    [[line(100, 0)], null],
    [[line(1, 999_999_99)], null],
    [[line(1, 1_000_000_00)], 'total-too-large'],
    [[line(19, 5_000_000)], null],
  ])('%j: %s', (lines, denial) => {
    expect(denyOrder(lines)).toBe(denial);
  });
});

describe('an affiliate code', () => {
  it.each([
    [1, false, null],
    [0, false, 'too-few-tokens'],
    [3, true, 'unused-code'],
    [0, true, 'unused-code'],
  ])('with %i tokens, unused code %s: %s', (tokenCount, hasUnusedCode, denial) => {
    expect(denyCode({ tokenCount, hasUnusedCode })).toBe(denial);
  });
});

describe('a tax id', () => {
  it.each(['123456789', '012345678', '987654321', '876543210', '000000000', '777777777'])(
    'treats %s as a sample',
    (digits) => {
      expect(isSampleTaxId(digits)).toBe(true);
    },
  );

  it.each(['123456780', '987654320', '177777777', '777777771', '536294817'])('accepts %s as real', (digits) => {
    expect(isSampleTaxId(digits)).toBe(false);
  });
});

describe('the hashes of the offline list', () => {
  it.each([
    [0, 12],
    [4, 12],
    [5, 13],
    [100, 17],
    [33_554, 25],
    [200_000, 25],
  ])('for a capacity of %i have %i bits', (capacity, bits) => {
    expect(hashBits(capacity)).toBe(bits);
  });
});

describe('the limits', () => {
  it('count most emoji as one character', () => {
    expect(['', 'abc', '🎟️', '🎺🎺'].map(characterCount)).toEqual([0, 3, 2, 2]);
  });

  it('allow ten photos of 10 MB in one request', () => {
    expect(PHOTO_BYTES_MAX).toBe(10_485_760);
    expect(UPLOAD_BYTES_MAX).toBeGreaterThan(10 * PHOTO_BYTES_MAX);
  });
});

describe('the plan', () => {
  it('includes two active events', () => {
    expect([0, 1, 2].map((active) => denyPlan({ active, isCounted: false }, 2))).toEqual([
      null,
      null,
      'too-many-active-events',
    ]);
  });

  it('takes further dates of a series that is active already, also where it has shrunk since [SERIES-4]', () => {
    expect([2, 3].map((active) => denyPlan({ active, isCounted: true }, 2))).toEqual([null, null]);
  });
});

describe('onboarding', () => {
  it('lists the remaining steps in order', () => {
    const newcomer = { emailVerifiedAt: null, organizationName: null, hasActivePayoutAccount: false };
    expect(openOnboardingSteps(newcomer)).toEqual(['verify-email', 'account-information', 'connect-payouts']);
    expect(
      openOnboardingSteps({
        emailVerifiedAt: new Date(),
        organizationName: 'Cooperage Nights',
        hasActivePayoutAccount: true,
      }),
    ).toEqual([]);
  });
});

describe('a ticket at the door', () => {
  const now = at('2026-11-21T20:00:00Z');
  const valid = { state: 'valid', disputedAt: null, cancelledAt: null } as const;

  it('is admitted while it is valid', () => {
    expect(denyAdmission(valid)).toBeNull();
  });

  it.each([
    ['event-cancelled', { state: 'scanned', cancelledAt: now }],
    ['already-in', { state: 'scanned', disputedAt: now }],
    ['disputed', { disputedAt: now }],
    ['refunding', { state: 'refunding', disputedAt: now }],
    ['refunded', { state: 'refunded' }],
    ['void', { state: 'void' }],
  ] as const)('is denied: %s', (denial, change) => {
    expect(denyAdmission({ ...valid, ...change })).toBe(denial);
  });
});

describe("an order's payment", () => {
  it.each([
    ['reserved', false],
    ['expired', false],
    ['paid', true],
    ['unfulfillable', true],
    ['needs-review', true],
  ] satisfies [OrderState, boolean][])('of an order that is %s was received: %s', (state, isReceived) => {
    expect(hasReceivedPayment({ state })).toBe(isReceived);
  });
});

import { describe, expect, it } from 'vitest';
import { ageObstacle } from './age.ts';
import { shownAvailability } from './availability.ts';
import { normalizeCode } from './codes.ts';
import { salesObstacle, scheduleObstacle } from './event-schedule.ts';
import { openOnboardingSteps } from './onboarding.ts';
import { orderObstacle, orderTotalCents } from './order.ts';
import { planObstacle } from './plan.ts';

const at = (text: string) => new Date(text);

describe('the age of an organizer', () => {
  const on = at('2026-11-21T00:00:00Z');

  it.each(['2008-11-21', '2008-02-29', '1900-01-01'])('is enough, born %s', (born) => {
    expect(ageObstacle(born, on)).toBeNull();
  });

  it.each(['2008-11-22', '2026-11-21', '2026-11-22', '2999-01-01', '1899-12-31', '0190-04-12'])(
    'is too young, born %s',
    (born) => {
      expect(ageObstacle(born, on)).toBe('too-young');
    },
  );

  it.each(['2007-02-29', '2999-02-29', '2000-13-01', '21/11/2000', ''])('is unknown, born "%s"', (born) => {
    expect(ageObstacle(born, on)).toBe('no-such-date');
  });
});

describe('shown availability', () => {
  it.each([
    [-1, 0],
    [0, 0],
    [1, 1],
    [10, 10],
    [11, 10],
    [37, 30],
    [482, 400],
    [100_000, 100_000],
  ])('%i left shows as %i', (left, shown) => {
    expect(shownAvailability(left)).toBe(shown);
  });
});

describe('an attendant code', () => {
  it('is understood in any case, with hyphens, and with the letters people mistake', () => {
    expect(normalizeCode(' 7q4m-k2xpOI ')).toBe('7Q4MK2XP01');
  });
});

describe('an event schedule', () => {
  const now = at('2026-06-01T00:00:00Z');
  const schedule = { startsAt: at('2026-06-12T20:00:00Z'), endsAt: at('2026-06-12T23:00:00Z') };

  it('starts in the future, unless it is being edited', () => {
    const past = { ...schedule, startsAt: now };
    expect(scheduleObstacle(schedule, now, { mayStartInPast: false })).toBeNull();
    expect(scheduleObstacle(past, now, { mayStartInPast: false })).toBe('start-in-past');
    expect(scheduleObstacle(past, now, { mayStartInPast: true })).toBeNull();
  });

  it('ends after it starts, and within a year', () => {
    const backwards = { startsAt: schedule.endsAt, endsAt: schedule.startsAt };
    const endless = { ...schedule, endsAt: at('2027-07-12T20:00:00Z') };
    expect(scheduleObstacle(backwards, now, { mayStartInPast: false })).toBe('end-before-start');
    expect(scheduleObstacle(endless, now, { mayStartInPast: false })).toBe('too-long');
  });

  it('sells until the very end', () => {
    const event = { endsAt: schedule.endsAt, cancelledAt: null };
    expect(salesObstacle(event, at('2026-06-12T22:59:59Z'))).toBeNull();
    expect(salesObstacle(event, schedule.endsAt)).toBe('event-ended');
    expect(salesObstacle({ ...event, cancelledAt: now }, now)).toBe('event-cancelled');
  });
});

describe('an order', () => {
  const line = (quantity: number, unitPriceCents: number) => ({ quantity, unitPriceCents });

  it('adds up', () => {
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
    [[line(19, 5_000_000)], null],
  ])('%j: %s', (lines, obstacle) => {
    expect(orderObstacle(lines)).toBe(obstacle);
  });
});

describe('the plan', () => {
  it('has room for two active events', () => {
    expect([0, 1, 2].map(planObstacle)).toEqual([null, null, 'too-many-active-events']);
  });
});

describe('onboarding', () => {
  it('names what is still to do, in order', () => {
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

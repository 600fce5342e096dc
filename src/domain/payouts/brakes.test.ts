import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heldParts, sendsAfter } from './brakes.ts';

const requestedAt = new Date('2026-06-01T12:00:00Z');
const none = { firstDelayDays: 0, firstCapCents: null, reservePercent: 0, reserveDays: 90 };
const claim = { isFirst: true, brakes: { ...none, firstDelayDays: 3, firstCapCents: 500_00 }, requestedAt };

describe('the first payout of an organization', () => {
  it('is sent days later, and the rest above its cap two weeks after that [BRAKE-3]', () => {
    expect(sendsAfter(claim)).toEqual(new Date('2026-06-04T12:00:00Z'));
    expect(heldParts(1234_56, claim)).toEqual([
      { kind: 'rest', cents: 734_56, dueAt: new Date('2026-06-18T12:00:00Z') },
    ]);
  });

  it.each([
    ['up to the cap', 500_00, claim],
    ['of a debt only', 0, claim],
    ['without a cap', 1234_56, { ...claim, brakes: none }],
    ['of another event', 1234_56, { ...claim, isFirst: false }],
  ])('holds nothing back %s [BRAKE-3]', (_what, netCents, other) => {
    expect(heldParts(netCents, other)).toEqual([]);
  });

  it('is sent at once without a delay, as every later payout is [BRAKE-3]', () => {
    expect(sendsAfter({ ...claim, brakes: none })).toBeNull();
    expect(sendsAfter({ ...claim, isFirst: false })).toBeNull();
  });
});

describe('a rolling reserve', () => {
  const reserve = { ...none, reservePercent: 15, reserveDays: 30 };

  it('keeps a share of every payout, rounded down [BRAKE-4]', () => {
    expect(heldParts(100_33, { ...claim, isFirst: false, brakes: reserve })).toEqual([
      { kind: 'reserve', cents: 15_04, dueAt: new Date('2026-07-01T12:00:00Z') },
    ]);
  });

  it('comes before the cap, and leaves something to send [BRAKE-4]', () => {
    const brakes = { ...claim.brakes, reservePercent: 90, reserveDays: 30 };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_00 }), fc.integer({ min: 0, max: 90 }), (netCents, percent) => {
        const parts = heldParts(netCents, { ...claim, brakes: { ...brakes, reservePercent: percent } });
        const sentCents = parts.reduce((sent, { cents }) => sent - cents, netCents);
        expect(sentCents).toBeGreaterThan(0);
        expect(sentCents).toBeLessThanOrEqual(500_00);
      }),
    );
  });

  it('keeps nothing of a payout that pays nothing [BRAKE-4]', () => {
    for (const netCents of [0, -5_00]) expect(heldParts(netCents, { ...claim, brakes: reserve })).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { RESTRICTED_SALES_HOURS } from '#domain/limits.ts';
import { type AccountStanding, nextStanding } from './payout-account.ts';

const now = new Date('2026-06-12T20:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 60 * 60 * 1000);

const onboarding: AccountStanding = { isActive: false, restrictedAt: null, closedAt: null, salesStoppedAt: null };
const active: AccountStanding = { ...onboarding, isActive: true };
const restrictedFor = (hours: number): AccountStanding => ({ ...onboarding, restrictedAt: hoursAgo(hours) });
const stopped = { ...restrictedFor(80), salesStoppedAt: hoursAgo(8) };
const closed = { ...restrictedFor(5), closedAt: hoursAgo(5), salesStoppedAt: hoursAgo(5) };

describe('a payout account', () => {
  it.each([
    ['stays in onboarding', onboarding, 'restricted', onboarding, null],
    ['is closed in onboarding', onboarding, 'closed', onboarding, null],
    ['becomes active', onboarding, 'active', active, null],
    ['stays active', active, 'active', active, null],
    ['is restricted', active, 'restricted', restrictedFor(0), 'restricted'],
    ['is closed', active, 'closed', { ...restrictedFor(0), closedAt: now, salesStoppedAt: now }, 'closed'],
    ['stays restricted', restrictedFor(71.9), 'restricted', restrictedFor(71.9), null],
    [
      'stops sales',
      restrictedFor(RESTRICTED_SALES_HOURS),
      'restricted',
      { ...restrictedFor(RESTRICTED_SALES_HOURS), salesStoppedAt: now },
      'stopped',
    ],
    ['stays stopped', stopped, 'restricted', stopped, null],
    ['is closed once stopped', stopped, 'closed', { ...stopped, closedAt: now }, 'closed'],
    ['stays closed', closed, 'restricted', closed, null],
    ['is restored', restrictedFor(1), 'active', active, 'restored'],
    ['is restored once stopped', stopped, 'active', active, 'restored'],
    ['is restored once closed', closed, 'active', active, 'restored'],
  ] as const)('%s [BRAKE-5]', (_what, before, status, standing, change) => {
    expect(nextStanding(before, status, now)).toEqual({ standing, change });
  });
});

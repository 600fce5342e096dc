import { describe, expect, it } from 'vitest';
import { denyObjection, type EarlyCheckIn, earlyCheckInState, isEarlyCheckIn } from './early-check-in.ts';

const startsAt = new Date('2026-11-01T23:00:00Z');
const before = (ms: number) => new Date(startsAt.getTime() - 12 * 60 * 60 * 1000 - ms);

describe('a check-in [WINDOW-0]', () => {
  it.each([
    ['12 hours and a millisecond before the start', before(1), true],
    ['exactly 12 hours before', before(0), false],
    ['after the start', new Date(startsAt.getTime() + 1), false],
  ])('%s', (_when, scannedAt, isEarly) => {
    expect(isEarlyCheckIn(scannedAt, startsAt)).toBe(isEarly);
  });
});

const checkIn: EarlyCheckIn = {
  outcome: null,
  objectedAt: null,
  ticketState: 'scanned',
  cancelledAt: null,
  payoutRequestedAt: null,
};
const at = new Date('2026-10-12T09:00:00Z');

describe('an objection to it [WINDOW-0]', () => {
  it.each([
    ['is accepted', {}, 'checked-in', null],
    ['can be repeated', { objectedAt: at }, 'objected', null],
    [
      'is needless once the device undid it',
      { outcome: 'undone-at-door', ticketState: 'valid' },
      'undone-at-door',
      'not-checked-in',
    ],
    [
      'is needless once it was undone',
      { outcome: 'undone', objectedAt: at, ticketState: 'valid' },
      'undone',
      'not-checked-in',
    ],
    ['is decided once', { outcome: 'kept', objectedAt: at }, 'kept', 'decided'],
    ['is closed for a refunded ticket', { outcome: 'undone', ticketState: 'refunded' }, 'closed', 'closed'],
    ['is closed for a ticket used after an undo', { outcome: 'undone', ticketState: 'scanned' }, 'closed', 'closed'],
    ['is closed for a void ticket', { ticketState: 'void' }, 'closed', 'closed'],
    ['is closed when the event is cancelled', { cancelledAt: at }, 'closed', 'closed'],
    ['is closed when the event is paid out', { objectedAt: at, payoutRequestedAt: at }, 'closed', 'closed'],
  ] as const)('%s', (_case, change, state, denial) => {
    expect(earlyCheckInState({ ...checkIn, ...change })).toBe(state);
    expect(denyObjection({ ...checkIn, ...change })).toBe(denial);
  });
});

import { describe, expect, it } from 'vitest';
import {
  calledAt,
  denyTurn,
  passesCalled,
  type QueueRate,
  selectableFrom,
  shuffledPosition,
  waitingRoomOpensAt,
} from './waiting-room.ts';

const START = new Date('2026-06-12T16:00:00Z');
const after = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const steady: QueueRate[] = [{ before: 0, since: START, perMinute: 60 }];

describe('the rate of a waiting room', () => {
  it.each([
    [1, 0],
    [2, 1],
    [61, 60],
  ])('calls position %i %i seconds after the start', (position, seconds) => {
    expect(calledAt(position, steady)).toEqual(after(seconds));
  });

  it('calls no position before the start, and the first one at the start', () => {
    expect(passesCalled(steady, after(-1))).toBe(0);
    expect(passesCalled(steady, after(0))).toBe(1);
    expect(passesCalled(steady, after(59.5))).toBe(60);
  });

  it.each([1, 7, 300, 5_999])('converts positions to times and back at %i a minute', (perMinute) => {
    const rates = [{ before: 0, since: START, perMinute }];
    const positions = Array.from({ length: 500 }, (_, index) => index + 1);

    expect(positions.map((position) => passesCalled(rates, calledAt(position, rates)))).toEqual(positions);
  });

  it('does not affect positions that were called before it changed', () => {
    const changed: QueueRate[] = [...steady, { before: 60, since: after(60), perMinute: 6 }];

    expect(calledAt(60, changed)).toEqual(after(59));
    expect(calledAt(61, changed)).toEqual(after(60));
    expect(calledAt(62, changed)).toEqual(after(70));
    expect(passesCalled(changed, after(30))).toBe(31);
    expect(passesCalled(changed, after(65))).toBe(61);
  });

  it('is required to call a position', () => {
    expect(() => calledAt(1, [])).toThrow(RangeError);
    expect(passesCalled([], START)).toBe(0);
  });

  it('does not call a position later once an old rate is pruned', () => {
    const pruned: QueueRate[] = [
      { before: 0, since: START, perMinute: 1 },
      { before: 300, since: after(120), perMinute: 60 },
    ];

    expect(calledAt(2, pruned)).toEqual(after(60));
    expect(calledAt(300, pruned)).toEqual(after(120));
    expect(calledAt(302, pruned)).toEqual(after(121));
  });
});

describe('a waiting room', () => {
  it('opens an hour before the sale, and lets buyers choose tickets from then on', () => {
    expect(waitingRoomOpensAt(START)).toEqual(after(-3600));
    expect(selectableFrom(START, true)).toEqual(after(-3600));
    expect(selectableFrom(START, false)).toEqual(START);
  });
});

describe('a turn', () => {
  it.each([
    [-1, 'not-your-turn'],
    [0, null],
    [599, null],
    [600, 'turn-passed'],
  ])('%i seconds after the call: %s', (seconds, denial) => {
    expect(denyTurn(START, after(seconds))).toBe(denial);
  });
});

describe('the random order', () => {
  /** Well mixed but not secret; the product uses an HMAC. */
  const scrambleOf = (key: number) => (round: number, value: number) => {
    let mixed = Math.imul(value ^ Math.imul(key + 1, 0x9e3779b1) ^ (round << 24), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };

  it.each([1, 2, 3, 4, 5, 16, 17, 100, 1_000, 4_097])('gives each of %i buyers a different position', (early) => {
    const positions = Array.from({ length: early }, (_, index) => shuffledPosition(index + 1, early, scrambleOf(7)));

    expect(positions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: early }, (_, index) => index + 1));
  });

  // Pinned across versions: a deploy during a sale must not reorder the buyers.
  it('is the same on every server', () => {
    const positions = Array.from({ length: 10 }, (_, index) => shuffledPosition(index + 1, 10, scrambleOf(7)));

    expect(positions).toEqual([5, 2, 1, 9, 4, 6, 8, 3, 7, 10]);
  });

  it('does not favor the first arrival', () => {
    const draws = 4_000;
    const firstOfTen = Array.from({ length: draws }, (_, key) => shuffledPosition(1, 10, scrambleOf(key)));

    for (let position = 1; position <= 10; position++) {
      const share = firstOfTen.filter((drawn) => drawn === position).length / draws;
      expect(share).toBeGreaterThan(0.08);
      expect(share).toBeLessThan(0.12);
    }
  });
});

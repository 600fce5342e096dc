import { describe, expect, it } from 'vitest';
import {
  calledAt,
  choosableFrom,
  denyTurn,
  drawnPosition,
  passesCalled,
  type QueueRate,
  roomOpensAt,
} from './waiting-room.ts';

const START = new Date('2026-06-12T16:00:00Z');
const after = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const steady: QueueRate[] = [{ before: 0, since: START, perMinute: 60 }];

describe('the pace of a waiting room', () => {
  it.each([
    [1, 0],
    [2, 1],
    [61, 60],
  ])('calls place %i %i seconds after the start', (place, seconds) => {
    expect(calledAt(place, steady)).toEqual(after(seconds));
  });

  it('has called nobody before the start, and the first at the start', () => {
    expect(passesCalled(steady, after(-1))).toBe(0);
    expect(passesCalled(steady, after(0))).toBe(1);
    expect(passesCalled(steady, after(59.5))).toBe(60);
  });

  it.each([1, 7, 300, 5_999])('says the same in both directions at %i a minute', (perMinute) => {
    const paces = [{ before: 0, since: START, perMinute }];
    const places = Array.from({ length: 500 }, (_, index) => index + 1);

    expect(places.map((place) => passesCalled(paces, calledAt(place, paces)))).toEqual(places);
  });

  it('that changes leaves those alone who were called before', () => {
    const changed: QueueRate[] = [...steady, { before: 60, since: after(60), perMinute: 6 }];

    expect(calledAt(60, changed)).toEqual(after(59));
    expect(calledAt(61, changed)).toEqual(after(60));
    expect(calledAt(62, changed)).toEqual(after(70));
    expect(passesCalled(changed, after(30))).toBe(31);
    expect(passesCalled(changed, after(65))).toBe(61);
  });

  it('is required to call a place', () => {
    expect(() => calledAt(1, [])).toThrow(RangeError);
    expect(passesCalled([], START)).toBe(0);
  });

  it('that is forgotten puts nobody back whom it has called', () => {
    const kept: QueueRate[] = [
      { before: 0, since: START, perMinute: 1 },
      { before: 300, since: after(120), perMinute: 60 },
    ];

    expect(calledAt(2, kept)).toEqual(after(60));
    expect(calledAt(300, kept)).toEqual(after(120));
    expect(calledAt(302, kept)).toEqual(after(121));
  });
});

describe('a waiting room', () => {
  it('opens an hour before the sale, and lets buyers choose from then on', () => {
    expect(roomOpensAt(START)).toEqual(after(-3600));
    expect(choosableFrom(START, true)).toEqual(after(-3600));
    expect(choosableFrom(START, false)).toEqual(START);
  });
});

describe('a turn', () => {
  it.each([
    [-1, 'not-your-turn'],
    [0, null],
    [599, null],
    [600, 'turn-passed'],
  ])('%i seconds after the call: %s', (seconds, obstacle) => {
    expect(denyTurn(START, after(seconds))).toBe(obstacle);
  });
});

describe('the draw', () => {
  /** Not secret, but well mixed: what the product uses is an HMAC. */
  const scrambleOf = (key: number) => (round: number, value: number) => {
    let mixed = Math.imul(value ^ Math.imul(key + 1, 0x9e3779b1) ^ (round << 24), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };

  it.each([1, 2, 3, 4, 5, 16, 17, 100, 1_000, 4_097])('gives each of %i people a place of their own', (early) => {
    const places = Array.from({ length: early }, (_, index) => drawnPosition(index + 1, early, scrambleOf(7)));

    expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: early }, (_, index) => index + 1));
  });

  // Also on one of another version: a draw that changed during a sale would call other people.
  it('is the same on every server', () => {
    const places = Array.from({ length: 10 }, (_, index) => drawnPosition(index + 1, 10, scrambleOf(7)));

    expect(places).toEqual([5, 2, 1, 9, 4, 6, 8, 3, 7, 10]);
  });

  it('favours nobody for coming first', () => {
    const draws = 4_000;
    const firstOfTen = Array.from({ length: draws }, (_, key) => drawnPosition(1, 10, scrambleOf(key)));

    for (let place = 1; place <= 10; place++) {
      const share = firstOfTen.filter((drawn) => drawn === place).length / draws;
      expect(share).toBeGreaterThan(0.08);
      expect(share).toBeLessThan(0.12);
    }
  });
});

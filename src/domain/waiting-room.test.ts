import { describe, expect, it } from 'vitest';
import {
  arrivalAt,
  calledAt,
  denyTurn,
  passesCalled,
  type QueueRate,
  rateAfterReturn,
  rateAfterSkips,
  selectableFrom,
  shuffledPosition,
  skipAbsent,
  waitingRoomOpensAt,
  withRate,
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

describe('passes whose pages are closed', () => {
  const present =
    (...positions: number[]) =>
    (position: number) =>
      positions.includes(position);

  it.each([
    ['nobody is skipped while all are there', { checked: 0, called: 3, lastPass: 9 }, [1, 2, 3, 4], 3, []],
    [
      'an absent pass gives its turn to the next present one',
      { checked: 0, called: 1, lastPass: 9 },
      [4],
      4,
      [1, 2, 3],
    ],
    ['each absent pass gives one turn', { checked: 2, called: 4, lastPass: 9 }, [5, 7, 8], 7, [3, 4, 6]],
    ['all are skipped if nobody is there', { checked: 0, called: 2, lastPass: 5 }, [], 5, [1, 2, 3, 4, 5]],
    ['nobody comes up who has not joined', { checked: 0, called: 9, lastPass: 2 }, [1, 2], 2, []],
  ] as const)('%s [ROOM-3]', (_, advance, there, through, skipped) => {
    expect(skipAbsent(advance, present(...there))).toEqual({ through, skipped });
  });

  it('leave the next turn when it was [ROOM-3]', () => {
    const rates = withRate(steady, rateAfterSkips(40, steady, after(2.5)), after(2.5));

    expect(passesCalled(rates, after(2.5))).toBe(40);
    expect(calledAt(40, rates)).toEqual(after(2));
    expect(calledAt(41, rates)).toEqual(after(3));
  });

  it('take the next turn when they come back, one after the other, and the others move by one each [ROOM-4]', () => {
    const first = rateAfterReturn(steady, after(10.5));
    const rates = withRate(steady, first.rate, after(10.5));
    const second = rateAfterReturn(rates, after(10.6));
    const both = withRate(rates, second.rate, after(10.6));

    expect([first.returnsAt, second.returnsAt]).toEqual([after(11), after(12)]);
    expect(calledAt(12, both)).toEqual(after(13));
    expect(passesCalled(both, after(12.9))).toBe(11);
    expect(calledAt(11, both)).toEqual(after(10));
  });

  /** Visitors who open and close their pages at random, second by second, as the server does it. */
  function simulate(visitors: number, perMinute: number, random: () => number) {
    let rates: QueueRate[] = [{ before: 0, since: START, perMinute }];
    let checked = 0;
    const loyal = (position: number) => position % 3 === 0;
    const there = new Set<number>();
    const served: { position: number; at: number }[] = [];
    const skippedSince = new Map<number, Date>();
    const returns: { position: number; at: number }[] = [];
    for (let second = 0; second < visitors; second++) {
      const now = after(second);
      for (let position = 1; position <= visitors; position++) {
        if (loyal(position) || random() < 0.02) there.add(position);
        else if (random() < 0.05) there.delete(position);
      }
      const called = passesCalled(rates, now);
      const lastPass = rates.some(({ since }) => since > now) ? Math.min(called, visitors) : visitors;
      const { through, skipped } = skipAbsent({ checked, called, lastPass }, (position) => there.has(position));
      if (through > called) rates = withRate(rates, rateAfterSkips(through, rates, now), now);
      for (const position of skipped) skippedSince.set(position, now);
      for (let position = checked + 1; position <= through; position++)
        if (!skipped.includes(position))
          served.push({ position, at: Math.max(calledAt(position, rates).getTime(), now.getTime()) });
      checked = through;
      for (const position of skippedSince.keys()) {
        if (!there.has(position)) continue;
        const { returnsAt, rate } = rateAfterReturn(rates, now);
        rates = withRate(rates, rate, now);
        returns.push({ position, at: returnsAt.getTime() });
        skippedSince.delete(position);
      }
      if (checked === visitors && skippedSince.size === 0) break;
    }
    return { served, returns, checked, rates };
  }

  it.each([60, 300, 7])(
    'never overtake a present pass, and keep the rate, at %i a minute [ROOM-3 ROOM-4]',
    (perMinute) => {
      let state = 42;
      const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
      const { served, returns, checked, rates } = simulate(1_000, perMinute, random);

      expect(checked).toBeGreaterThan(100);
      expect(returns.length).toBeGreaterThan(20);
      const positions = served.map(({ position }) => position);
      expect(positions).toEqual(positions.toSorted((one, other) => one - other));
      // Each second and each minute, checked a second late at most.
      const moments = [...served, ...returns].map(({ at }) => at).toSorted((one, other) => one - other);
      for (const [index, from] of moments.entries()) {
        const within = moments.slice(index).filter((at) => at < from + 60_000).length;
        expect(within).toBeLessThanOrEqual(perMinute + Math.ceil(perMinute / 60) + 1);
      }
      expect(rates.length).toBeLessThan(60);
    },
  );
});

describe('the draw', () => {
  it('has an inverse, so that the arrival at a position is known', () => {
    const scramble = (round: number, value: number) => Math.imul(value + 1, 0x9e37_79b1) ^ (round * 0x85eb_ca6b);
    for (const early of [1, 2, 3, 17, 64, 1_000]) {
      const arrivals = Array.from({ length: early }, (_, index) => index + 1);
      const positions = arrivals.map((arrival) => shuffledPosition(arrival, early, scramble));
      expect(positions.map((position) => arrivalAt(position, early, scramble))).toEqual(arrivals);
    }
  });
});

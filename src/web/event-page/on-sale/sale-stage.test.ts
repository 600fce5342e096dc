import { describe, expect, it } from 'vitest';
import { mayChoose, mayJoin, turnOf } from './sale-stage.ts';

const START = Date.parse('2026-06-12T16:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1000);
const sale = {
  salesStartAt: at(0).toISOString(),
  paces: [{ before: 0, since: at(0).toISOString(), perMinute: 60 }],
  given: 500,
  isSoldOut: false,
  now: at(0).toISOString(),
};
const withoutRoom = { ...sale, paces: [] };

describe('where a buyer stands', () => {
  it('without a waiting room: before the start, then not at all', () => {
    expect(turnOf(withoutRoom, undefined, at(-1))).toEqual({ is: 'early', startsAt: at(0), opensAt: null });
    expect(turnOf(withoutRoom, undefined, at(0))).toEqual({ is: 'open' });
    expect(mayJoin(withoutRoom, at(0))).toBe(false);
  });

  it('before the room opens, in the draw, and until the own place is known', () => {
    expect(turnOf(sale, undefined, at(-3601))).toEqual({ is: 'early', startsAt: at(0), opensAt: at(-3600) });
    expect([mayJoin(sale, at(-3601)), mayJoin(sale, at(-3600))]).toEqual([false, true]);
    expect(turnOf(sale, null, at(-5))).toEqual({ is: 'in-draw', startsAt: at(0), people: 500 });
    expect(turnOf(sale, null, at(0))).toEqual({ is: 'arriving' });
  });

  it('lets tickets be chosen from the start of sales, or once the waiting room is open', () => {
    const choices = (of: typeof sale, ...seconds: number[]) =>
      seconds.map((second) => mayChoose(turnOf(of, undefined, at(second)), at(second)));
    expect(choices(withoutRoom, -3600, -1, 0)).toEqual([false, false, true]);
    expect(choices(sale, -3601, -3600, 0)).toEqual([false, true, true]);
    expect(mayChoose(turnOf(sale, null, at(-5)), at(-5))).toBe(true);
  });

  it('in the draw of a start that was moved, where those who were there before do not count', () => {
    const moved = { ...sale, paces: [{ before: 480, since: at(0).toISOString(), perMinute: 60 }] };
    expect(turnOf(moved, null, at(-5))).toEqual({ is: 'in-draw', startsAt: at(0), people: 20 });
    expect(turnOf(moved, 483, at(0))).toEqual({ is: 'waiting', place: 483, before: 1, calledAt: at(2) });
  });

  it.each([
    [413, 0, 411, 412],
    [413, 400, 11, 12],
    [413, 411, 0, 1],
    [2, 0, 0, 1],
  ])(
    'with place %i, %i seconds after the start: %i people before, %i seconds to go',
    (place, seconds, before, wait) => {
      expect(turnOf(sale, place, at(seconds))).toEqual({
        is: 'waiting',
        place,
        before,
        calledAt: at(seconds + wait),
      });
    },
  );

  it('in the own turn, and after it', () => {
    expect(turnOf(sale, 413, at(412))).toEqual({ is: 'called', until: at(1012) });
    expect(turnOf(sale, 413, at(1012))).toEqual({ is: 'passed' });
  });
});

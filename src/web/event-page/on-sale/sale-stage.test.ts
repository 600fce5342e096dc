import { describe, expect, it } from 'vitest';
import { mayChoose, mayJoin, saleStage } from './sale-stage.ts';

const START = Date.parse('2026-06-12T16:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1000);
const sale = {
  salesStartAt: at(0).toISOString(),
  rates: [{ before: 0, since: at(0).toISOString(), perMinute: 60 }],
  lastPass: 500,
  draw: null,
  pausedAt: null,
  isSoldOut: false,
  now: at(0).toISOString(),
};
const placed = (position: number | null | undefined, returnsAt: string | null = null) => ({ position, returnsAt });
const withoutRoom = { ...sale, rates: [] };

describe('saleStage', () => {
  it('is early, then open, without a waiting room', () => {
    expect(saleStage(withoutRoom, placed(undefined), at(-1))).toEqual({
      kind: 'early',
      startsAt: at(0),
      opensAt: null,
    });
    expect(saleStage(withoutRoom, placed(undefined), at(0))).toEqual({ kind: 'open' });
    expect(mayJoin(withoutRoom, at(0))).toBe(false);
  });

  it('is early, then in the draw, then arriving', () => {
    expect(saleStage(sale, placed(undefined), at(-3601))).toEqual({
      kind: 'early',
      startsAt: at(0),
      opensAt: at(-3600),
    });
    expect([mayJoin(sale, at(-3601)), mayJoin(sale, at(-3600))]).toEqual([false, true]);
    expect(saleStage(sale, placed(null), at(-5))).toEqual({ kind: 'in-draw', startsAt: at(0), people: 500 });
    expect(saleStage(sale, placed(null), at(0))).toEqual({ kind: 'arriving' });
  });

  it('allows choosing tickets from the start, or once the waiting room is open', () => {
    const choices = (room: typeof sale, ...seconds: number[]) =>
      seconds.map((second) => mayChoose(saleStage(room, placed(undefined), at(second)), at(second)));
    expect(choices(withoutRoom, -3600, -1, 0)).toEqual([false, false, true]);
    expect(choices(sale, -3601, -3600, 0)).toEqual([false, true, true]);
    expect(mayChoose(saleStage(sale, placed(null), at(-5)), at(-5))).toBe(true);
  });

  it('ignores earlier positions after a moved start', () => {
    const moved = { ...sale, rates: [{ before: 480, since: at(0).toISOString(), perMinute: 60 }] };
    expect(saleStage(moved, placed(null), at(-5))).toEqual({ kind: 'in-draw', startsAt: at(0), people: 20 });
    expect(saleStage(moved, placed(483), at(0))).toEqual({
      kind: 'waiting',
      position: 483,
      before: 1,
      calledAt: at(2),
      wasSkipped: false,
    });
  });

  it.each([
    [413, 0, 411, 412],
    [413, 400, 11, 12],
    [413, 411, 0, 1],
    [2, 0, 0, 1],
  ])(
    'at position %i, %i seconds after the start: %i people ahead, %i seconds to go',
    (position, seconds, before, wait) => {
      expect(saleStage(sale, placed(position), at(seconds))).toEqual({
        kind: 'waiting',
        position,
        before,
        calledAt: at(seconds + wait),
        wasSkipped: false,
      });
    },
  );

  it('is called, then passed', () => {
    expect(saleStage(sale, placed(413), at(412))).toEqual({ kind: 'called', until: at(1012) });
    expect(saleStage(sale, placed(413), at(1012))).toEqual({ kind: 'passed' });
  });

  it('is next, then called, after its pass came up while the page was closed [ROOM-4]', () => {
    const back = placed(3, at(90).toISOString());
    expect(saleStage(sale, back, at(89))).toEqual({
      kind: 'waiting',
      position: 3,
      before: 0,
      calledAt: at(90),
      wasSkipped: true,
    });
    expect(saleStage(sale, back, at(90))).toEqual({ kind: 'called', until: at(690) });
  });
});

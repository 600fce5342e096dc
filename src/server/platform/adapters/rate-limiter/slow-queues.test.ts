import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSlowQueues, PACE_MS } from './slow-queues.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What became of each after so many milliseconds; `undefined` for those who still stand in line. */
async function after(ms: number, turns: Promise<number | null>[]) {
  const became = new Map<number, number | null>();
  turns.forEach((turn, place) => void turn.then((wait) => became.set(place, wait)));
  await vi.advanceTimersByTimeAsync(ms);
  return turns.map((_, place) => became.get(place));
}

describe('a line of those who have used up a budget', () => {
  it('moves one at a time, and sends away who comes when it is full', async () => {
    const lines = openSlowQueues();
    const turns = [1, 2, 3, 4].map(() => lines.standInLine('one'));

    expect(await after(PACE_MS - 1, turns)).toEqual([undefined, undefined, undefined, PACE_MS / 1000]);
    expect(await after(1, turns)).toEqual([null, undefined, undefined, PACE_MS / 1000]);
    expect(await after(2 * PACE_MS, turns)).toEqual([null, null, null, PACE_MS / 1000]);
  });

  it('tells whoever only asks whether it is full, and is no longer for that', async () => {
    const lines = openSlowQueues();
    const turns = [1, 2].map(() => lines.standInLine('one'));
    expect([lines.comeBackAfter('one'), lines.comeBackAfter('one')]).toEqual([null, null]);
    turns.push(lines.standInLine('one'));
    expect([lines.comeBackAfter('one'), lines.comeBackAfter('other')]).toEqual([PACE_MS / 1000, null]);

    await after(PACE_MS, turns);
    expect(lines.comeBackAfter('one')).toBe(null);
  });

  it('is not made longer by those in other lines', async () => {
    const lines = openSlowQueues();
    await after(0, [lines.standInLine('crowd'), lines.standInLine('crowd'), lines.standInLine('crowd')]);

    expect(await after(PACE_MS, [lines.standInLine('own')])).toEqual([null]);
  });

  it('is there until the budget is whole again', async () => {
    const lines = openSlowQueues();
    expect(lines.areQuiet()).toBe(true);

    lines.noteUsedUp('login:one', Date.now() + 1000);
    expect([lines.isUsedUp('login:one'), lines.isUsedUp('login:other'), lines.areQuiet()]).toEqual([
      true,
      false,
      false,
    ]);

    vi.advanceTimersByTime(1000);
    expect(lines.isUsedUp('login:one')).toBe(false);
    lines.sweep();
    expect(lines.areQuiet()).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { freshLine, lineAfter, lineAfterNews, pauseAfter, type Try } from './connection.ts';

const after = (...tries: Try[]) => tries.reduce(lineAfter, freshLine).isOnline;

describe('whether a device asks the server', () => {
  it.each<{ tries: Try[]; isOnline: boolean }>([
    { tries: ['slow'], isOnline: true },
    { tries: ['slow', 'slow'], isOnline: false },
    { tries: ['slow', 'quick', 'slow'], isOnline: true },
    { tries: ['failed'], isOnline: false },
    { tries: ['failed', 'slow'], isOnline: false },
  ])('is $isOnline after $tries', ({ tries, isOnline }) => {
    expect(after(...tries)).toBe(isOnline);
  });

  it('comes back with news in time, and then gives way to one slow check', () => {
    const back = lineAfterNews(lineAfter(freshLine, 'failed'));
    expect(back.isOnline).toBe(true);
    expect(lineAfter(back, 'slow').isOnline).toBe(false);
    expect(lineAfter(lineAfter(back, 'quick'), 'slow').isOnline).toBe(true);
  });

  it('bears one slow check while it is online, however often there is news', () => {
    expect(lineAfter(lineAfterNews(lineAfterNews(freshLine)), 'slow').isOnline).toBe(true);
  });

  it('is not misled about slow checks by a list that is quick', () => {
    const slowOnce = lineAfter(freshLine, 'slow');
    expect(lineAfter(lineAfterNews(slowOnce), 'slow').isOnline).toBe(false);
  });

  it('asks a server that fails less and less often, and never less than every 20 seconds', () => {
    expect([1, 2, 3, 4, 100].map(pauseAfter)).toEqual([5000, 10_000, 20_000, 20_000, 20_000]);
  });
});

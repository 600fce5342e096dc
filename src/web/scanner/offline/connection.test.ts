import { describe, expect, it } from 'vitest';
import { afterCheck, afterListRefresh, type CheckSpeed, freshConnection, retryDelay } from './connection.ts';

const after = (...checks: CheckSpeed[]) => checks.reduce(afterCheck, freshConnection).isOnline;

describe('the connection state', () => {
  it.each<{ checks: CheckSpeed[]; isOnline: boolean }>([
    { checks: ['slow'], isOnline: true },
    { checks: ['slow', 'slow'], isOnline: false },
    { checks: ['slow', 'quick', 'slow'], isOnline: true },
    { checks: ['failed'], isOnline: false },
    { checks: ['failed', 'slow'], isOnline: false },
  ])('has isOnline $isOnline after $checks', ({ checks, isOnline }) => {
    expect(after(...checks)).toBe(isOnline);
  });

  it('goes online after a prompt list, and offline again after one slow check', () => {
    const back = afterListRefresh(afterCheck(freshConnection, 'failed'));
    expect(back.isOnline).toBe(true);
    expect(afterCheck(back, 'slow').isOnline).toBe(false);
    expect(afterCheck(afterCheck(back, 'quick'), 'slow').isOnline).toBe(true);
  });

  it('tolerates one slow check while online, after any number of lists', () => {
    expect(afterCheck(afterListRefresh(afterListRefresh(freshConnection)), 'slow').isOnline).toBe(true);
  });

  it('counts slow checks across a prompt list', () => {
    const slowOnce = afterCheck(freshConnection, 'slow');
    expect(afterCheck(afterListRefresh(slowOnce), 'slow').isOnline).toBe(false);
  });

  it('backs off to at most 20 seconds', () => {
    expect([1, 2, 3, 4, 100].map(retryDelay)).toEqual([5000, 10_000, 20_000, 20_000, 20_000]);
  });
});

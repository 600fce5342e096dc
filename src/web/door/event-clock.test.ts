import { describe, expect, it } from 'vitest';
import { ago } from '#web/ui/data/ago.ts';
import { shortMoment, toTheSecond } from './event-clock.ts';

const NOW = Date.parse('2026-06-12T23:02:14Z');
const SECOND = 1000;

describe('times in the event’s timezone', () => {
  it('show seconds with toTheSecond', () => {
    expect(toTheSecond(NOW, 'America/New_York')).toBe('7:02:14 PM');
    expect(toTheSecond(NOW, 'America/Los_Angeles')).toBe('4:02:14 PM');
  });

  it('include the day only if it differs from today’s', () => {
    const lateYesterday = Date.parse('2026-06-12T03:59:00Z');

    expect(shortMoment(NOW - 60 * SECOND, 'America/New_York', NOW)).toBe('7:01 PM');
    expect(shortMoment(lateYesterday, 'America/New_York', NOW)).toBe('Thu, Jun 11, 11:59 PM');
  });

  it.each([
    [0, 'now'],
    [-5, 'now'],
    [12, '12 sec ago'],
    [59, '59 sec ago'],
    [60, '1 min ago'],
    [3599, '59 min ago'],
    [3600, '1 hr ago'],
    [47 * 3600, '47 hr ago'],
    [49 * 3600, '2 days ago'],
  ])('%i seconds ago: %s', (seconds, text) => {
    expect(ago(NOW - seconds * SECOND, NOW)).toBe(text);
  });
});

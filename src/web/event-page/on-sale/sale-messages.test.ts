import { describe, expect, it } from 'vitest';
import { countdown, formatWait, peopleAhead } from './sale-messages.ts';

describe('waiting room messages', () => {
  it.each([
    [0, "You're next"],
    [1, 'At most 1 person ahead of you'],
    [1_412, 'At most 1,412 people ahead of you'],
  ])('%i ahead: %s', (before, text) => expect(peopleAhead(before)).toBe(text));

  it.each([
    [5, 'Less than a minute'],
    [61, 'About 2 minutes'],
    [60, 'About 1 minute'],
    [11 * 60, 'About 15 minutes'],
    [75 * 60, 'About 1 hour 15 minutes'],
    [120 * 60, 'About 2 hours'],
  ])('%i seconds to wait: %s', (seconds, text) => expect(formatWait(seconds)).toBe(text));

  it.each([
    [0, '0:00'],
    [59.2, '1:00'],
    [754, '12:34'],
    [3_600, '1 hr 0 min'],
    [90_000, '1 day 1 hr'],
    [180_000, '2 days 2 hr'],
  ])('%i seconds to the start: %s', (seconds, text) => expect(countdown(seconds)).toBe(text));
});

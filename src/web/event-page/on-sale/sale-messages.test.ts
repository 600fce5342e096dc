import { describe, expect, it } from 'vitest';
import { countdown, peopleBefore, waitInWords } from './sale-messages.ts';

describe('the words of a waiting room', () => {
  it.each([
    [0, 'You are next'],
    [1, '1 person is before you'],
    [1_412, '1,412 people are before you'],
  ])('%i before', (before, words) => expect(peopleBefore(before)).toBe(words));

  it.each([
    [5, 'less than a minute'],
    [61, 'about 2 minutes'],
    [60, 'about 1 minute'],
    [11 * 60, 'about 15 minutes'],
    [75 * 60, 'about 1 hour 15 minutes'],
    [120 * 60, 'about 2 hours'],
  ])('%i seconds to wait: %s', (seconds, words) => expect(waitInWords(seconds)).toBe(words));

  it.each([
    [0, '0:00'],
    [59.2, '1:00'],
    [754, '12:34'],
    [3_600, '1 hr 0 min'],
    [90_000, '1 day 1 hr'],
    [180_000, '2 days 2 hr'],
  ])('%i seconds to the start: %s', (seconds, words) => expect(countdown(seconds)).toBe(words));
});

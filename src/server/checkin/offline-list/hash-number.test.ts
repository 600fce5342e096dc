import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CONFIRMATION_NUMBER_LIMIT, SMALLEST_CONFIRMATION_NUMBER } from '#domain/codes.ts';
import { HASH_BITS_MAX, hashBits } from '#domain/offline-list.ts';
import { newConfirmationNumber } from '#server/platform/ids.ts';
import { hashNumber, saltOf } from './hash-number.ts';

const ALL_NUMBERS = CONFIRMATION_NUMBER_LIMIT - SMALLEST_CONFIRMATION_NUMBER;
const TRIED = 500_000;
/** Made-up numbers, from the first to the last. */
const madeUp = (n: number) => String(SMALLEST_CONFIRMATION_NUMBER + n * Math.floor(ALL_NUMBERS / TRIED));
const CANDIDATES_AT_LEAST = 100;
/** What chance adds to a count or takes from it, but once in a thousand million times. */
const byChance = (expected: number) => 6 * Math.sqrt(expected);

const secret = 'a secret for tests only, longer than 32 characters';

describe('the salt of a list', () => {
  it('is always the same for an event, and another for each event and installation', () => {
    expect(saltOf(secret, 'one')).toBe(saltOf(secret, 'one'));
    expect(saltOf(secret, 'one')).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([saltOf(secret, 'one'), saltOf(secret, 'two'), saltOf(`${secret}!`, 'one')]).size).toBe(3);
  });
});

describe('the hash of a number', () => {
  it('is the beginning of SHA-256 of salt and number', () => {
    // printf 'abc1234567890' | sha256sum
    expect(hashNumber('abc', '1234567890', 32).toString(16)).toBe('a5bfa04a');
  });

  it('is the beginning of every longer one, so that lists of several lengths tell no more than the longest', () => {
    const longest = hashNumber('abc', '1234567890', HASH_BITS_MAX);
    for (let bits = 12; bits <= HASH_BITS_MAX; bits++)
      expect(hashNumber('abc', '1234567890', bits)).toBe(longest >>> (HASH_BITS_MAX - bits));
  });

  it('is as long for an event as keeps made-up numbers below one in a thousand, up to 33,000 tickets', () => {
    expect([0, 1, 4, 5, 5_000, 33_000, 100_000, 2_000_000].map(hashBits)).toEqual([12, 12, 12, 13, 23, 25, 25, 25]);
    for (let places = 1; places <= 33_000; places += 7) expect(places / 2 ** hashBits(places)).toBeLessThan(1 / 1000);
  });

  it.each([
    { tickets: 5_000, share: 0.0006, candidates: 1073 },
    { tickets: 100_000, share: 0.003, candidates: 268 },
  ])(
    'of $tickets tickets lets $share of all made-up numbers pass, and fits some $candidates numbers',
    ({ tickets, share, candidates }) => {
      const bits = hashBits(tickets);
      const salt = randomBytes(32).toString('hex');
      const listed = new Uint8Array(2 ** bits);
      for (let n = 0; n < tickets; n++) listed[hashNumber(salt, newConfirmationNumber(), bits)] = 1;
      let passed = 0;
      const even = new Uint32Array(4096);
      for (let n = 0; n < TRIED; n++) {
        const hash = hashNumber(salt, madeUp(n), bits);
        passed += listed[hash] ?? 0;
        const part = hash >>> (bits - 12);
        even[part] = (even[part] ?? 0) + 1;
      }

      expect(passed / TRIED).toBeLessThan(share + byChance(share * TRIED) / TRIED);
      expect(Math.round(ALL_NUMBERS / 2 ** bits)).toBe(candidates);
      // Numbers fall evenly on all hashes, so none has far fewer candidates than the others.
      expect(Math.min(...even)).toBeGreaterThan(TRIED / 4096 - byChance(TRIED / 4096));
      expect(candidates - byChance(candidates)).toBeGreaterThan(CANDIDATES_AT_LEAST);
      const distinct = listed.reduce((sum, one) => sum + one, 0);
      expect(((passed / TRIED) * ALL_NUMBERS) / distinct).toBeGreaterThan(CANDIDATES_AT_LEAST);
    },
  );
});

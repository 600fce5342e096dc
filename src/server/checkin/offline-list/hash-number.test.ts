import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CONFIRMATION_NUMBER_LIMIT, SMALLEST_CONFIRMATION_NUMBER } from '#domain/codes.ts';
import { HASH_BITS_MAX, hashBits } from '#domain/offline-list.ts';
import { newConfirmationNumber } from '#tests/support/confirmation-number.ts';
import { hashNumber, saltOf } from './hash-number.ts';

const ALL_NUMBERS = CONFIRMATION_NUMBER_LIMIT - SMALLEST_CONFIRMATION_NUMBER;
const TRIED = 500_000;
/** Made-up numbers, evenly spread over all numbers. */
const madeUp = (n: number) => String(SMALLEST_CONFIRMATION_NUMBER + n * Math.floor(ALL_NUMBERS / TRIED));
const CANDIDATES_MIN = 100;
/** Six standard deviations: random counts exceed this once in a billion runs. */
const sixSigma = (expected: number) => 6 * Math.sqrt(expected);

const SECRET = 'a secret for tests only, longer than 32 characters';
const secret = [SECRET] as const;

describe('the salt of a list', () => {
  it('is constant for an event, and differs between events and installations', () => {
    expect(saltOf(secret, 'one')).toBe(saltOf(secret, 'one'));
    expect(saltOf(secret, 'one')).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([saltOf(secret, 'one'), saltOf(secret, 'two'), saltOf([`${SECRET}!`], 'one')]).size).toBe(3);
  });
});

describe('the hash of a number', () => {
  it('is a prefix of SHA-256 of salt and number', () => {
    // printf 'abc1234567890' | sha256sum
    expect(hashNumber('abc', '1234567890', 32).toString(16)).toBe('a5bfa04a');
  });

  it('is a prefix of every longer one, so that lists of several lengths reveal no more than the longest', () => {
    const longest = hashNumber('abc', '1234567890', HASH_BITS_MAX);
    for (let bits = 12; bits <= HASH_BITS_MAX; bits++)
      expect(hashNumber('abc', '1234567890', bits)).toBe(longest >>> (HASH_BITS_MAX - bits));
  });

  it('matches fewer than one in a thousand made-up numbers, up to 33,000 tickets', () => {
    expect([0, 1, 4, 5, 5_000, 33_000, 100_000, 2_000_000].map(hashBits)).toEqual([12, 12, 12, 13, 23, 25, 25, 25]);
    for (let capacity = 1; capacity <= 33_000; capacity += 7)
      expect(capacity / 2 ** hashBits(capacity)).toBeLessThan(1 / 1000);
  });

  it.each([
    { tickets: 5_000, share: 0.0006, candidates: 1073 },
    { tickets: 100_000, share: 0.003, candidates: 268 },
  ])(
    'of $tickets tickets matches a share of $share of all made-up numbers, and each is shared by $candidates numbers',
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

      expect(passed / TRIED).toBeLessThan(share + sixSigma(share * TRIED) / TRIED);
      expect(Math.round(ALL_NUMBERS / 2 ** bits)).toBe(candidates);
      // Numbers are spread evenly over the hashes, so no hash has far fewer candidates than the others.
      expect(Math.min(...even)).toBeGreaterThan(TRIED / 4096 - sixSigma(TRIED / 4096));
      expect(candidates - sixSigma(candidates)).toBeGreaterThan(CANDIDATES_MIN);
      const distinct = listed.reduce((sum, one) => sum + one, 0);
      expect(((passed / TRIED) * ALL_NUMBERS) / distinct).toBeGreaterThan(CANDIDATES_MIN);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { disputeStep } from './dispute.ts';

describe('a dispute', () => {
  it.each([
    [null, 'inquiry', { opens: false, ends: false }],
    ['inquiry', 'closed', { opens: false, ends: false }],
    ['inquiry', 'open', { opens: true, ends: false }],
    [null, 'open', { opens: true, ends: false }],
    ['open', 'won', { opens: false, ends: true }],
    ['open', 'lost', { opens: false, ends: true }],
    [null, 'won', { opens: true, ends: true }],
    ['inquiry', 'lost', { opens: true, ends: true }],
  ] as const)('goes from %s to %s', (from, to, step) => {
    expect(disputeStep(from, to)).toEqual(step);
  });

  it.each([
    ['open', 'open'],
    ['open', 'inquiry'],
    ['won', 'lost'],
    ['lost', 'open'],
    ['closed', 'open'],
    ['lost', 'lost'],
  ] as const)('never goes from %s to %s', (from, to) => {
    expect(disputeStep(from, to)).toBeNull();
  });
});

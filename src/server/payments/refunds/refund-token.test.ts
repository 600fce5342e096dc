import { describe, expect, it } from 'vitest';
import { hashOfToken, refundToken } from './refund-token.ts';

describe('the refund token', () => {
  it('stays the same in every email and across updates', () => {
    expect(refundToken(['secret'], 'r1')).toBe('aCvxfS6f9K92-JEmZXD4hubwDMHPp40C-GJ97Wwvu8w');
    expect(hashOfToken('token').toString('hex')).toBe(
      '3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0',
    );
  });

  it('differs between refunds and between keys', () => {
    const tokens = [refundToken(['secret'], 'r1'), refundToken(['secret'], 'r2'), refundToken(['other'], 'r1')];
    expect(new Set(tokens).size).toBe(3);
  });
});

import { describe, expect, it } from 'vitest';
import { claimsOf } from './session-token.ts';

const token = (payload: string) => `head.${Buffer.from(payload).toString('base64url')}.mark`;

describe('login token claims', () => {
  it('reads the claims, including non-ASCII text', () => {
    expect(claimsOf(token('{"isAdmin":true,"name":"Zoë ÿÿ"}'))).toEqual({ isAdmin: true, name: 'Zoë ÿÿ' });
  });

  it.each([undefined, '', 'not-a-token', 'a.%%%.c', token('[1'), token('null')])('reads nothing from %j', (broken) => {
    expect(claimsOf(broken)).toEqual({});
  });
});

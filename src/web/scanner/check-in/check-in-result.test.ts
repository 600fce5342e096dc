import { describe, expect, it } from 'vitest';
import { errorText } from '#messages/errors.ts';
import { CallError } from '#web/api.ts';
import { checkInMessage, kindOfError } from './check-in-result.ts';

describe('a failed check', () => {
  it('has the result that the server answered', () => {
    const msg = errorText('check-in.refunded');
    expect(kindOfError(new CallError(409, msg, { code: 'check-in.refunded', params: {}, msg }))).toBe('refunded');
    expect(kindOfError(new CallError(404, 'No.', { msg: 'No.' }))).toBe('unknown');
  });

  it('is unreachable, not unknown, when the server did not answer', () => {
    expect(kindOfError(new CallError(0))).toBe('unreachable');
    expect(kindOfError(new CallError(503))).toBe('unreachable');
    expect(checkInMessage(new CallError(0))).toBe('An error occurred. Please try again.');
  });
});

import { describe, expect, it } from 'vitest';
import { admissionRefusals } from '#contract/admission.ts';
import { CallError } from '#web/api.ts';
import { doorMessage, kindOfRefusal } from './check-in-result.ts';

describe('a check at the door that failed', () => {
  it('is what the server says it is', () => {
    const msg = admissionRefusals.refunded;
    expect(kindOfRefusal(new CallError(409, msg, { msg, result: 'refunded' }))).toBe('refunded');
    expect(kindOfRefusal(new CallError(404, 'No.', { msg: 'No.' }))).toBe('unknown');
  });

  it('says that the server could not be asked, instead of blaming the ticket', () => {
    expect(kindOfRefusal(new CallError(0))).toBe('unreachable');
    expect(kindOfRefusal(new CallError(503))).toBe('unreachable');
    expect(doorMessage(new CallError(0))).toBe('An error occurred. Please try again.');
  });
});

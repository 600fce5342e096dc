import { describe, expect, it } from 'vitest';
import { admissionRefusals, alreadyScanned } from '#contract/admission.ts';
import { CallError } from '#web/api.ts';
import { refusalOutcome } from './outcome.ts';

const kindOf = (error: unknown) => refusalOutcome(error, '4829103756').kind;

describe('a check at the door that failed', () => {
  it('tells a ticket scanned before from one that was never good', () => {
    expect(kindOf(new CallError(409, alreadyScanned('7:32 PM')))).toBe('already-scanned');
    expect(kindOf(new CallError(409, admissionRefusals.refunded))).toBe('refused');
    expect(kindOf(new CallError(404, admissionRefusals['unknown-ticket']))).toBe('refused');
  });

  it('says that the server could not be asked, instead of blaming the ticket', () => {
    expect(kindOf(new CallError(0))).toBe('unreachable');
    expect(kindOf(new CallError(503))).toBe('unreachable');
    expect(refusalOutcome(new CallError(0), '1').msg).toBe('An error occurred. Please try again.');
  });
});

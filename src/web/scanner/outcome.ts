/** What a check at the door came to, in the four ways an attendant must tell apart at a glance. */
import { admissionRefusals } from '#contract/admission.ts';
import { CallError, messageFrom } from '#web/api.ts';

export interface Outcome {
  kind: 'admitted' | 'already-scanned' | 'refused' | 'unreachable';
  msg: string;
  code: string;
  at: Date;
}

/** The server's sentence, else the door's own: also when no answer came at all. */
export function doorMessage(error: unknown): string {
  return messageFrom(error, 'An error occurred. Please try again.');
}

const plainRefusals: readonly string[] = Object.values(admissionRefusals);

export function refusalOutcome(error: unknown, code: string): Outcome {
  const msg = doorMessage(error);
  return { kind: kindOf(error, msg), msg, code, at: new Date() };
}

function kindOf(error: unknown, msg: string): Outcome['kind'] {
  if (!(error instanceof CallError) || error.status === 0 || error.status >= 500) return 'unreachable';
  // Every other conflict has a sentence of its own.
  return error.status === 409 && !plainRefusals.includes(msg) ? 'already-scanned' : 'refused';
}

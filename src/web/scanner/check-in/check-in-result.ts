/** What a check at the door came to, in the ways that an attendant must tell apart at a glance. */
import { type DoorResult, doorFacts } from '#contract/admission.ts';
import { CallError, messageFrom } from '#web/api.ts';

/**
 * What the server says, or what the device finds alone: `admitted-offline` will be handed in; `not-on-list` may have been sold
 * since; `unreachable` has no list either.
 */
export type ResultKind = DoorResult | 'admitted-offline' | 'not-on-list' | 'unreachable';

export interface Outcome {
  /** The scan's. */
  id: string;
  kind: ResultKind;
  msg: string;
  /** Why the server did not decide, where it was asked and this device decided instead. */
  failure: string | null;
  code: string;
  at: Date;
  /** Until when this scan can be taken back; `null` where it let nobody in. */
  canTakeBackUntil: Date | null;
  isTakenBack: boolean;
}

/** The server's sentence, else the door's own: also when no answer came at all. */
export function doorMessage(error: unknown): string {
  return messageFrom(error, 'An error occurred. Please try again.');
}

/** What to say of a check that failed and that this device decided. A guest who is let in must not be told to try again. */
export function failureOf(error: unknown, kind: ResultKind): string | null {
  if (kind !== 'admitted-offline') return doorMessage(error);
  return error instanceof CallError ? (error.msg ?? null) : null;
}

/** A no of the server itself. What a network's own page or a broken gateway says comes without a sentence. */
export function isServersAnswer(error: unknown): error is CallError {
  return error instanceof CallError && error.status >= 400 && error.status < 500 && error.msg !== undefined;
}

const TOO_MANY = 429;

export function kindOfRefusal(error: unknown): ResultKind {
  // Whoever is told to wait has not been checked.
  if (!isServersAnswer(error) || error.status === TOO_MANY) return 'unreachable';
  const facts = doorFacts.safeParse(error.body);
  return facts.success ? facts.data.result : 'unknown';
}

/** The result of a check-in, in the variants that an attendant must tell apart at a glance. */
import { type CheckInStatus, checkInStatuses, type DoorNote } from '#contract/app/check-in.ts';
import type { checkInErrors } from '#messages/check-in.ts';
import { errorOccurred } from '#messages/pages.ts';
import { CallError, codeFrom, messageFrom } from '#web/api.ts';

/**
 * `admitted-offline` is pending sync; `not-on-list` may have been sold after the offline list was read; `unreachable` means
 * that there was neither a server nor a list.
 */
export type ResultKind = CheckInStatus | 'admitted-offline' | 'handed-out-offline' | 'not-on-list' | 'unreachable';

/** The scan counts, and can be undone. */
export const isAccepted = (kind: ResultKind): boolean =>
  ['admitted', 'handed-out', 'admitted-offline', 'handed-out-offline'].includes(kind);

export interface CheckInResult {
  /** The scan's id. */
  id: string;
  kind: ResultKind;
  msg: string;
  /** What the attendant should know about the guest. */
  notes: readonly DoorNote[];
  /** Why the server did not decide, if it was asked and this device decided instead. */
  failure: string | null;
  code: string;
  at: Date;
  /** `null` unless the scan was accepted. */
  undoUntil: Date | null;
  isUndone: boolean;
}

/** The server's message, with a fallback for when no answer came. */
export function checkInMessage(error: unknown): string {
  return messageFrom(error, errorOccurred);
}

/** Explains an offline decision after a failed check. Where the scan was accepted, the attendant must never read "try again". */
export function failureMessage(error: unknown, kind: ResultKind): string | null {
  if (!isAccepted(kind)) return checkInMessage(error);
  return error instanceof CallError ? (error.msg ?? null) : null;
}

/** A 4xx from our server. Captive portals and broken gateways answer without a `msg`. */
export function isServerAnswer(error: unknown): error is CallError {
  return error instanceof CallError && error.status >= 400 && error.status < 500 && error.msg !== undefined;
}

const TOO_MANY = 429;

export function kindOfError(error: unknown): ResultKind {
  // A rate-limited request has not been checked.
  if (!isServerAnswer(error) || error.status === TOO_MANY) return 'unreachable';
  const code = codeFrom(error);
  // The search by name was turned off meanwhile.
  if (code?.startsWith('guest-search.')) return 'unreachable';
  return checkInStatuses.find((status) => isDenial(status) && code === codeOf(status)) ?? 'unknown';
}

type Denied = Exclude<CheckInStatus, 'admitted' | 'handed-out'>;

const isDenial = (status: CheckInStatus): status is Denied => !isAccepted(status);

/** A status without a code does not compile. */
function codeOf(status: Denied): keyof typeof checkInErrors {
  return status === 'unknown' ? 'check-in.unknown-ticket' : `check-in.${status}`;
}

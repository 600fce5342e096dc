/** Exit codes, on which scripts branch. They never change. */
import { HandstampError, HandstampUnreachableError } from '../errors.ts';

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  /** No key, or one that isn't valid or lacks a scope. */
  notAllowed: 3,
  notFound: 4,
  /** Such as a ticket whose guest is already in. */
  denied: 5,
  /** Unreachable, busy, or asked too often: worth another attempt. */
  tryLater: 6,
} as const;

export const exitCodeHelp = `Exit codes:
  0  done
  1  failed
  2  wrong usage
  3  no key, or a key that isn't valid or lacks a scope
  4  not found
  5  denied, such as a ticket whose guest is already in
  6  the server can't be reached, is busy, or was asked too often: try again`;

/** What the person who typed the command can mend. */
export class UsageError extends Error {}

/** Nothing says which installation or key to use. */
export class NotConnectedError extends Error {}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof NotConnectedError) return exitCodes.notAllowed;
  if (error instanceof HandstampUnreachableError) return exitCodes.tryLater;
  return error instanceof HandstampError ? exitCodeOfStatus(error.status) : exitCodes.failed;
}

function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (status === 404) return exitCodes.notFound;
  if (status === 409) return exitCodes.denied;
  return [429, 502, 503, 504].includes(status) ? exitCodes.tryLater : exitCodes.failed;
}

/** One line for a terminal. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof HandstampError)) return error.message;
  const request = error.requestId === null ? '' : `, request ${error.requestId}`;
  return `${error.message} (${error.code}${request})`;
}

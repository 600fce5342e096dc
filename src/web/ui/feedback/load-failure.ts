import { codeFrom, messageFrom } from '#web/api.ts';

/** Why data is not on screen. */
export interface LoadFailure {
  msg: string;
  /** Loading again can't help while the role is denied. */
  mayRetry: boolean;
}

export const failureFrom = (error: unknown, fallback: string): LoadFailure => ({
  msg: messageFrom(error, fallback),
  mayRetry: codeFrom(error) !== 'auth.role-denied',
});

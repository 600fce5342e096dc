/**
 * An expected error: the request was understood and denied, and the message is written for the person who sent it.
 * Any other thrown error is a bug or an outage: it is logged, and the reply carries no details.
 */
export class AppError extends Error {
  override name = 'AppError';
  readonly kind: ErrorKind;
  /** When a retry makes sense; set for `too-many` and `unavailable` only. */
  readonly retryAfterSeconds: number | undefined;
  /** Machine-readable fields added to the reply. */
  readonly params: Readonly<Record<string, string>>;

  constructor(kind: ErrorKind, msg: string, retryAfterSeconds?: number, params: Readonly<Record<string, string>> = {}) {
    super(msg);
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
    this.params = params;
  }
}

export type ErrorKind =
  | 'invalid'
  | 'signed-out'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'wrong-type'
  | 'too-many'
  | 'unavailable';

export const invalid = (msg: string) => new AppError('invalid', msg);
export const signedOut = (msg: string) => new AppError('signed-out', msg);
export const forbidden = (msg: string) => new AppError('forbidden', msg);
export const notFound = (msg: string) => new AppError('not-found', msg);
export const conflict = (msg: string) => new AppError('conflict', msg);
export const unavailable = (msg: string, retryAfterSeconds: number) =>
  new AppError('unavailable', msg, retryAfterSeconds);

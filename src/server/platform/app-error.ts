/**
 * An expected "no": the request was understood and the answer is a sentence for the person asking.
 * Everything else that is thrown is a bug or an outage, is logged, and is answered without details.
 */
export class AppError extends Error {
  override name = 'Refusal';
  readonly kind: ErrorKind;
  /** Seconds after which another try makes sense; only with `too-many` and `unavailable`. */
  readonly retryAfterSeconds: number | undefined;
  /** What a program may know of it beside the sentence. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(kind: ErrorKind, msg: string, retryAfterSeconds?: number, facts: Readonly<Record<string, string>> = {}) {
    super(msg);
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
    this.facts = facts;
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

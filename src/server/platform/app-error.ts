/**
 * An expected "no": the request was understood and the answer is a sentence for the person asking.
 * Everything else that is thrown is a bug or an outage, is logged, and is answered without details.
 */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly kind: RefusalKind;
  /** Seconds after which another try makes sense; only with `too-many` and `unavailable`. */
  readonly retryAfterSeconds: number | undefined;
  /** What a program may know of it beside the sentence. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(
    kind: RefusalKind,
    msg: string,
    retryAfterSeconds?: number,
    facts: Readonly<Record<string, string>> = {},
  ) {
    super(msg);
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
    this.facts = facts;
  }
}

export type RefusalKind =
  | 'invalid'
  | 'signed-out'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'wrong-type'
  | 'too-many'
  | 'unavailable';

export const invalid = (msg: string) => new Refusal('invalid', msg);
export const signedOut = (msg: string) => new Refusal('signed-out', msg);
export const forbidden = (msg: string) => new Refusal('forbidden', msg);
export const notFound = (msg: string) => new Refusal('not-found', msg);
export const conflict = (msg: string) => new Refusal('conflict', msg);
export const unavailable = (msg: string, retryAfterSeconds: number) =>
  new Refusal('unavailable', msg, retryAfterSeconds);

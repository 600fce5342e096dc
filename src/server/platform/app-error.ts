import { type ErrorCode, type ErrorParams, errorText } from '#messages/errors.ts';

/**
 * An expected error: the request was understood and denied. Logic branches on `code`; `message` is the text for the person who sent
 * it. Any other thrown error is a bug or an outage: it is logged, and the reply carries no details.
 */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  override name = 'AppError';
  readonly code: Code;
  readonly params: Readonly<Record<string, string | number | null>>;

  constructor(code: Code, ...params: ErrorParams<Code>) {
    super(errorText(code, ...params));
    this.code = code;
    this.params = (params[0] ?? {}) as AppError['params'];
  }

  /** What the caller is answered. `msg` is for people, `code` for programs. */
  get body() {
    return { code: this.code, params: this.params, msg: this.message };
  }
}

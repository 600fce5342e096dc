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

/** Why a rule denies something, with what the text needs to know. */
interface Denial {
  reason: string;
  params?: object;
}

/** A denial whose code has no text, or whose parameters do not fit it, does not compile. */
type WithText<Area extends string, D> = D extends Denial
  ? `${Area}.${D['reason']}` extends infer Code extends ErrorCode
    ? [D['params']] extends ErrorParams<Code>
      ? D
      : ErrorParams<Code> extends []
        ? D
        : never
    : never
  : never;

/** The error of a rule's denial: `checkout` and `sold-out` become `checkout.sold-out`. */
export function denialError<Area extends string, const D extends Denial>(
  area: Area,
  denial: D & WithText<Area, D>,
): AppError {
  const params = (denial.params ? [denial.params] : []) as ErrorParams<ErrorCode>;
  return new AppError(`${area}.${denial.reason}` as ErrorCode, ...params);
}

import { type ErrorCode, type ErrorParams, errorText } from '#messages/errors.ts';

/** The whole body of an error, for tests that compare it byte by byte. */
export const errorBody = <Code extends ErrorCode>(code: Code, ...params: ErrorParams<Code>) => ({
  code,
  params: params[0] ?? {},
  msg: errorText(code, ...params),
});

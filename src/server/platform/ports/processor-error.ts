/** The payment processor was unreachable or gave no clear answer. The call may have succeeded. */
export class ProcessorUnreachable extends Error {
  override name = 'ProcessorUnreachable';
  /** A replay of the stored answer under the idempotency key, so no call with this key is in progress. */
  readonly isFinal: boolean;
  /** Rate limited: the call was not executed. */
  readonly isTooFast: boolean;

  constructor(
    message: string,
    { isFinal = false, isTooFast = false, ...options }: ErrorOptions & { isFinal?: boolean; isTooFast?: boolean } = {},
  ) {
    super(message, options);
    this.isFinal = isFinal;
    this.isTooFast = isTooFast;
  }
}

/** The payment processor denied the request. Its message is for the operator, not for buyers. */
export class ProcessorDenied extends Error {
  override name = 'ProcessorDenied';
  readonly code: string | null;

  constructor(message: string, code: string | null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

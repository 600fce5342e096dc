/** The card company could not be reached, or did not say what became of the call. The call may have worked. */
export class ProcessorUnreachable extends Error {
  override name = 'ProviderUnreachable';
  /** It repeats its answer to an earlier call with the same key: nothing that was asked under that key is under way. */
  readonly isFinal: boolean;
  /** It was asked too often, and has done nothing. */
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

/** The card company understood and said no. Its words are for the operator, not for buyers. */
export class ProcessorDenied extends Error {
  override name = 'ProviderRefused';
  readonly code: string | null;

  constructor(message: string, code: string | null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

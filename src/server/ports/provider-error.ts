/** The card company could not be reached, or did not say what became of the call. The call may have worked. */
export class ProviderUnreachable extends Error {
  override name = 'ProviderUnreachable';
  /** It answered with an error of its own, which it will repeat for as long as it keeps the call's key. */
  readonly isStored: boolean;
  /** It was asked too often, and has done nothing. */
  readonly isTooFast: boolean;

  constructor(
    message: string,
    {
      isStored = false,
      isTooFast = false,
      ...options
    }: ErrorOptions & { isStored?: boolean; isTooFast?: boolean } = {},
  ) {
    super(message, options);
    this.isStored = isStored;
    this.isTooFast = isTooFast;
  }
}

/** The card company understood and said no. Its words are for the operator, not for buyers. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused';
  readonly code: string | null;

  constructor(message: string, code: string | null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

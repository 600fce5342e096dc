/** The product cannot start, for a reason a person can act on: printed as it is, without a stack. */
export class StartFailure extends Error {
  override name = 'StartFailure';
  readonly exitCode: number;

  /** `exitCode`: 78 where the configuration or the place is wrong, 1 where something failed. */
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

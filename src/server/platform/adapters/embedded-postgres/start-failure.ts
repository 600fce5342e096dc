/** The product cannot start for a reason the operator can fix. Printed without a stack trace. */
export class StartFailure extends Error {
  override name = 'StartFailure';
  readonly exitCode: number;

  /** @param exitCode 78 for a wrong configuration or directory, 1 for other failures */
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

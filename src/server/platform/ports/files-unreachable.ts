/** Photos can't be stored or read now, because of another service. A later attempt may succeed. */
export class FilesUnreachable extends Error {
  /** By a setting of ours or theirs that time doesn't mend. */
  readonly isRefused: boolean;

  constructor(message: string, { isRefused = false, cause }: { isRefused?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isRefused = isRefused;
  }
}

/** The server said no, or nobody answered. `msg` is the server's sentence, where it gave one. */
export class CallError extends Error {
  override name = 'CallError';
  /** 0: no answer came. */
  readonly status: number;
  readonly msg: string | undefined;
  /** The whole answer, for a screen that reads more of it than the sentence. */
  readonly body: unknown;

  constructor(status: number, msg?: string, body?: unknown) {
    super(msg ?? `HTTP ${status}`);
    this.status = status;
    this.msg = msg;
    this.body = body;
  }
}

/** Which refusal it is, where the server names it. */
export function codeFrom(error: unknown): string | undefined {
  const body = error instanceof CallError ? error.body : null;
  if (typeof body !== 'object' || body === null || !('code' in body)) return undefined;
  return typeof body.code === 'string' ? body.code : undefined;
}

/** The server's sentence if it gave one, else the screen's own. */
export function messageFrom(error: unknown, fallback: string): string {
  return error instanceof CallError && error.msg ? error.msg : fallback;
}

/** The server denied the call or was unreachable. `msg` is the server's message, if any. */
export class CallError extends Error {
  override name = 'CallError';
  /** 0 if there was no reply. */
  readonly status: number;
  readonly msg: string | undefined;
  /** The full body, for screens that need more than the message. */
  readonly body: unknown;

  constructor(status: number, msg?: string, body?: unknown) {
    super(msg ?? `HTTP ${status}`);
    this.status = status;
    this.msg = msg;
    this.body = body;
  }
}

/** The server's error code, if any. */
export function codeFrom(error: unknown): string | undefined {
  const body = error instanceof CallError ? error.body : null;
  if (typeof body !== 'object' || body === null || !('code' in body)) return undefined;
  return typeof body.code === 'string' ? body.code : undefined;
}

/** The server's message, or the screen's fallback. */
export function messageFrom(error: unknown, fallback: string): string {
  return error instanceof CallError && error.msg ? error.msg : fallback;
}

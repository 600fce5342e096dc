/** Sends a request again when that is safe and likely to help. */
import { HandstampUnreachableError, secondsToWait } from './errors.ts';

export type Send = (request: Request) => Promise<Response>;

interface RetryOptions {
  /** How often, after the first attempt. */
  retries: number;
  wait: (milliseconds: number) => Promise<void>;
}

/** A longer wait is the program's to plan, so the answer is returned. */
const WAIT_MAX_SECONDS = 60;
const FIRST_BACKOFF_SECONDS = 0.5;
const BACKOFF_MAX_SECONDS = 8;

/** Too many requests, or a server that is busy, restarting or behind a proxy that doesn't reach it. */
const TEMPORARY = new Set([429, 502, 503, 504]);

export function retrying(send: Send, { retries, wait }: RetryOptions): Send {
  return async (request) => {
    for (let attempt = 0; ; attempt += 1) {
      // A body is read once, so each attempt sends a copy.
      const outcome = await attemptOf(send, request.clone());
      const seconds = attempt < retries ? waitFor(request, outcome, attempt) : null;
      if (seconds === null) {
        if (outcome instanceof Response) return outcome;
        throw outcome;
      }
      await wait(seconds * 1000);
      request.signal.throwIfAborted();
    }
  };
}

async function attemptOf(send: Send, request: Request): Promise<Response | Error> {
  try {
    return await send(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return new HandstampUnreachableError(`No answer from ${new URL(request.url).host}`, { cause: error });
  }
}

/** @returns seconds to wait before the next attempt, null if there should be none */
function waitFor({ method, headers }: Request, outcome: Response | Error, attempt: number): number | null {
  const isAnswer = outcome instanceof Response;
  if (isAnswer && !TEMPORARY.has(outcome.status)) return null;
  // A 429 did nothing. After any other failure, only what reads and what has a key is sure to do nothing twice.
  const isRepeatable = method === 'GET' || headers.has('idempotency-key');
  if (!(isAnswer && outcome.status === 429) && !isRepeatable) return null;
  const asked = isAnswer ? secondsToWait(outcome.headers, Date.now()) : null;
  if (asked !== null) return asked > WAIT_MAX_SECONDS ? null : asked;
  const backoff = Math.min(FIRST_BACKOFF_SECONDS * 2 ** attempt, BACKOFF_MAX_SECONDS);
  return backoff * (0.5 + Math.random() / 2);
}

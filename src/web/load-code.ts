/** Loads code on demand. */

/** A stalled connection never fails by itself. shell/before-paint.js uses the same two delays. */
const LIMIT_MS = 120_000;
const RETRY_AFTER_MS = 500;

/** A chunk failed to load. Loading it again can succeed. */
export class CodeNotLoadedError extends Error {
  override name = 'CodeNotLoadedError';
  /** Rejects if the browser caches the failure until a reload: docs/decisions/0035. */
  readonly loadAgain: () => Promise<unknown>;

  constructor(loadAgain: () => Promise<unknown>, options: ErrorOptions) {
    super('A part of the app did not load.', options);
    this.loadAgain = loadAgain;
  }
}

/** Retries once, because lost requests are common on phones. Gives up after two minutes. */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  const limit = Promise.withResolvers<never>();
  const tooLate = new Error(`no answer in ${LIMIT_MS} ms`);
  const timer = setTimeout(() => limit.reject(tooLate), LIMIT_MS);
  const arriving = load().catch(() => pause().then(load));
  try {
    return await Promise.race([arriving, limit.promise]);
  } catch (cause) {
    // Browsers join a second request for a stalled module to the first, so only a reload requests it again.
    const loadAgain = () => (cause === tooLate ? Promise.race([arriving, limit.promise]) : loadCode(load));
    throw new CodeNotLoadedError(loadAgain, { cause });
  } finally {
    clearTimeout(timer);
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));

/** Loads the parts of the app that are fetched when they are needed. */

/** A stalled connection never fails by itself. */
const LIMIT_MS = 120_000;
const RETRY_AFTER_MS = 500;

/** The network did not deliver a part of the app. Nothing is broken, so loading it again can succeed. */
export class CodeNotLoadedError extends Error {
  override name = 'CodeNotLoadedError';
}

/** Retries once, since one lost request is ordinary on a phone. Gives up after two minutes. */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`no answer in ${LIMIT_MS} ms`)), LIMIT_MS);
  try {
    return await Promise.race([load().catch(() => pause().then(load)), limit.promise]);
  } catch (cause) {
    throw new CodeNotLoadedError('A part of the app did not load.', { cause });
  } finally {
    clearTimeout(timer);
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));

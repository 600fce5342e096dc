/** A server that can serve the page answers this request in time. */
const TIMEOUT_MS = 10_000;

/** Whether a reload can succeed. shell/before-paint.js has a copy, for when this code has not loaded. */
export async function isServerReachable(): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const { status } = await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal });
    return status < 500;
  } catch {
    return false;
  }
}

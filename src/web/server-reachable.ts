/** A question this small is answered soon, or the page would not come either. */
const PATIENCE_MS = 10_000;

/** Whether a reload would get this page. shell/before-paint.js asks the same, before this code is there. */
export async function serverAnswers(): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const { status } = await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal });
    return status < 500;
  } catch {
    return false;
  }
}

/** Builds the pages under test, if their sources have changed: they are never of yesterday. Playwright's global setup, and of tests that ask for pages. */
import { mkdir, rmdir } from 'node:fs/promises';

interface WebBuild {
  buildWebIfChanged(): Promise<{ succeeded: boolean; said: string }>;
}

const DIST = new URL('../../dist/', import.meta.url);
const LOCK = new URL('web.being-built', DIST);
const LONGEST_BUILD_MS = 60_000;

export default async function buildWeb(): Promise<void> {
  const script = new URL('../../scripts/web-build.mjs', import.meta.url);
  const { buildWebIfChanged } = (await import(script.href)) as WebBuild;
  const unlock = await lockBuild();
  const { succeeded, said } = await buildWebIfChanged().finally(() => void unlock());
  if (!succeeded) throw new Error(`the web could not be built:\n${said}`);
}

/** Test files run side by side: a second one waits for the build of the first. Whoever left a lock behind is waited for once. */
async function lockBuild(): Promise<() => Promise<void>> {
  await mkdir(DIST, { recursive: true });
  const deadline = Date.now() + LONGEST_BUILD_MS;
  while (Date.now() < deadline) {
    const isOurs = await mkdir(LOCK).then(
      () => true,
      () => false,
    );
    if (isOurs) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return () => rmdir(LOCK).catch(() => {});
}

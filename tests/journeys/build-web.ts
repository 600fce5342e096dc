/** Builds the pages under test, if their sources have changed: they are never of yesterday. */
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';

interface WebBuild {
  buildWebIfChanged(): Promise<{ succeeded: boolean; said: string }>;
}

const DIST = new URL('../../dist/', import.meta.url);
const LOCK = new URL('web.being-built', DIST);

export async function buildWeb(): Promise<void> {
  const script = new URL('../../scripts/web-build.mjs', import.meta.url);
  const { buildWebIfChanged } = (await import(script.href)) as WebBuild;
  const unlock = await lockBuild();
  const { succeeded, said } = await buildWebIfChanged().finally(() => void unlock());
  if (!succeeded) throw new Error(`the web could not be built:\n${said}`);
}

/** Test files run side by side: a second one waits for the build of the first, however long it takes. */
async function lockBuild(): Promise<() => Promise<void>> {
  await mkdir(DIST, { recursive: true });
  // With its owner's number from the first moment on: a lock whose owner is gone was left behind.
  const own = new URL(`web.being-built.${crypto.randomUUID()}`, DIST);
  await writeFile(own, String(process.pid));
  while (!(await succeeds(link(own, LOCK)))) {
    const owner = await readFile(LOCK, 'utf8').catch(() => null);
    if (owner !== null && !isRunning(owner)) await rm(LOCK, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await rm(own);
  return () => rm(LOCK, { force: true });
}

function isRunning(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

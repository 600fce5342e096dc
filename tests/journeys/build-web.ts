/** Builds the pages under test if their sources have changed. */
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';

interface WebBuild {
  buildWebIfChanged(): Promise<{ succeeded: boolean; output: string }>;
}

const DIST = new URL('../../dist/', import.meta.url);
const LOCK = new URL('web.being-built', DIST);

export async function buildWeb(): Promise<void> {
  const script = new URL('../../scripts/web-build.mjs', import.meta.url);
  const { buildWebIfChanged } = (await import(script.href)) as WebBuild;
  const unlock = await lockBuild();
  const { succeeded, output } = await buildWebIfChanged().finally(() => void unlock());
  if (!succeeded) throw new Error(`building the web pages failed:\n${output}`);
}

/** Test files run in parallel: the second one waits for the build of the first. */
async function lockBuild(): Promise<() => Promise<void>> {
  await mkdir(DIST, { recursive: true });
  // The file has its owner's process id before it is linked: a lock without a running owner is stale.
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

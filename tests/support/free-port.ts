import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports of any system, which another process could be given first. Above 10080, the last port that
 * browsers block.
 */
const LOWEST = 11_000;
const HIGHEST = 32_767;
const ATTEMPTS = 100;

const given = new Set<number>();

/** Returns a port that is free, and new to this process. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free port was found in ${ATTEMPTS} attempts`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}

import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below what any system gives to outgoing connections or to whoever asks for any port: from there, another process could be
 * given the port before it is listened on. Above the last one that browsers refuse to open, 10080.
 */
const LOWEST = 11_000;
const HIGHEST = 32_767;
const ATTEMPTS = 100;

const given = new Set<number>();

/** A port that nothing listens on, and that this process was not given before. */
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

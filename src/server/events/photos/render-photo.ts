/** Draws pictures that strangers sent, two at a time, each within ten seconds: what takes longer is ended with its process. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PhotoDenial } from './re-encode-photo.ts';
import { openSerialQueue } from './serial-queue.ts';

const PROCESS = fileURLToPath(new URL('render-process.ts', import.meta.url));
const WITHIN_MS = 10_000;
/** A process is kept so long for the next picture: starting one takes as long as drawing. */
const IDLE_MS = 30_000;

const inLine = openSerialQueue({ atOnce: 2 });
const idle: { drawer: ChildProcess; leaving: NodeJS.Timeout }[] = [];

/** @param picture its bytes, or the file that holds them */
export function renderPhoto(
  picture: Buffer | string,
  withinMs = WITHIN_MS,
): Promise<Buffer | PhotoDenial | 'too-slow'> {
  return inLine(() => renderedBy(takeRenderer(), picture, withinMs));
}

function takeRenderer(): ChildProcess {
  const kept = idle.pop();
  if (kept) {
    clearTimeout(kept.leaving);
    return kept.drawer;
  }
  const drawer = fork(PROCESS, [], { env: {}, execArgv: [], serialization: 'advanced', stdio: 'ignore' });
  // It never keeps the product from ending, and ends with it.
  drawer.unref();
  drawer.channel?.unref();
  return drawer;
}

function renderedBy(drawer: ChildProcess, picture: Buffer | string, withinMs: number) {
  return new Promise<Buffer | PhotoDenial | 'too-slow'>((resolve) => {
    const finish = (drawn: Buffer | PhotoDenial | 'too-slow', isSound: boolean) => {
      clearTimeout(timer);
      drawer.removeAllListeners();
      // The one that broke may still say so, to nobody.
      drawer.on('error', () => {});
      if (isSound) keep(drawer);
      else drawer.kill('SIGKILL');
      resolve(drawn);
    };
    const timer = setTimeout(() => finish('too-slow', false), withinMs);
    drawer.once('message', (drawn) => finish(renderedIn(drawn), true));
    // A picture that ends its decoder is none.
    drawer.once('exit', () => finish('not-a-photo', false));
    drawer.once('error', () => finish('not-a-photo', false));
    drawer.send(picture);
  });
}

function renderedIn(message: unknown): Buffer | PhotoDenial {
  if (message instanceof Uint8Array) return Buffer.from(message);
  return message === 'too-many-pixels' ? message : 'not-a-photo';
}

function keep(drawer: ChildProcess): void {
  const leaving = setTimeout(() => {
    idle.splice(
      idle.findIndex((one) => one.drawer === drawer),
      1,
    );
    drawer.disconnect();
  }, IDLE_MS).unref();
  idle.push({ drawer, leaving });
}

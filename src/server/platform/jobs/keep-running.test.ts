import { EventEmitter } from 'node:events';
import type { Runner } from 'graphile-worker';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { keepRunning } from './keep-running.ts';

/** One that never ends, whatever it is told. */
function stuckRunner(): Runner {
  const never = new Promise<void>(() => {});
  return {
    promise: never,
    events: new EventEmitter(),
    stop: () => Promise.reject(new Error('Runner is already stopped')),
    kill: () => never,
    addJob: () => Promise.reject(new Error('no database')),
    [Symbol.asyncDispose]: () => never,
  };
}

it('a queue that gives up and never ends is begun anew all the same', async () => {
  const begun: Runner[] = [];
  const begin = async () => {
    const runner = stuckRunner();
    begun.push(runner);
    return runner;
  };
  const running = await keepRunning(begin, { log: pino({ level: 'silent' }) }, { givesUpWithinMs: 100, pauseMs: 10 });

  begun[0]?.events.emit('pool:gracefulShutdown', Object.create(null));
  await expect.poll(() => begun.length).toBe(2);

  begun[1]?.events.emit('pool:gracefulShutdown', Object.create(null));
  await running.stop();
  expect(begun).toHaveLength(2);
});

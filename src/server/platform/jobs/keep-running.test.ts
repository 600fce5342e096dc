import { EventEmitter } from 'node:events';
import type { Runner } from 'graphile-worker';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { keepRunning } from './keep-running.ts';

/** A runner that never ends. */
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

it('restarts a runner that never finishes shutting down', async () => {
  const started: Runner[] = [];
  const start = async () => {
    const runner = stuckRunner();
    started.push(runner);
    return runner;
  };
  const running = await keepRunning(start, { log: pino({ level: 'silent' }) }, { shutdownTimeoutMs: 100, pauseMs: 10 });

  started[0]?.events.emit('pool:gracefulShutdown', Object.create(null));
  await expect.poll(() => started.length).toBe(2);

  started[1]?.events.emit('pool:gracefulShutdown', Object.create(null));
  await running.stop();
  expect(started).toHaveLength(2);
});

it('starts another runner if one never starts, and stops the late one', async () => {
  const first = stuckRunner();
  const late = Promise.withResolvers<Runner>();
  const isLateStopped = Promise.withResolvers<void>();
  const starts = [Promise.resolve(first), late.promise, Promise.resolve(stuckRunner())];
  let started = 0;
  const start = () => starts[started++] ?? Promise.reject(new Error('no more'));
  const running = await keepRunning(start, { log: pino({ level: 'silent' }) }, { shutdownTimeoutMs: 100, pauseMs: 10 });

  first.events.emit('pool:gracefulShutdown', Object.create(null));
  await expect.poll(() => started).toBe(3);
  late.resolve({ ...stuckRunner(), stop: async () => isLateStopped.resolve() });
  await isLateStopped.promise;

  running.restart();
  await running.stop();
});

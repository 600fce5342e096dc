import { expect, it } from 'vitest';
import { QueueFullError } from './batcher.ts';
import { openOneAtATime } from './one-at-a-time.ts';

it('runs work in order, goes on after a failure, and denies what would wait too long', async () => {
  const run = openOneAtATime({ waitingMax: 3 });
  const begun: number[] = [];
  const first = Promise.withResolvers<number>();
  const one = run(() => {
    begun.push(1);
    return first.promise;
  });
  const two = run(async () => {
    begun.push(2);
    throw new Error('failed');
  });
  const three = run(async () => begun.push(3));
  await expect(run(async () => 4)).rejects.toBeInstanceOf(QueueFullError);

  await Promise.resolve();
  expect(begun).toEqual([1]);
  first.resolve(7);

  expect(await one).toBe(7);
  await expect(two).rejects.toThrow('failed');
  await three;
  expect(begun).toEqual([1, 2, 3]);
  expect(await run(async () => 4)).toBe(4);
});

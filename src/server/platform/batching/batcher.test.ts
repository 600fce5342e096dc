import { describe, expect, it } from 'vitest';
import { openBatcher, QueueFullError } from './batcher.ts';

/** Work whose statements the test completes by hand. Like a database driver, it sends them in the next tick. */
function manualWork() {
  const calls: { items: readonly string[]; finish(error?: Error): void }[] = [];
  const send = async (items: readonly string[]) => {
    await new Promise<void>((resolve) => process.nextTick(resolve));
    return new Promise<string[]>((resolve, reject) => {
      calls.push({
        items,
        finish: (error) => (error ? reject(error) : resolve(items.map((item) => `${item}!`))),
      });
    });
  };
  return {
    calls,
    one: async (item: string) => (await send([item]))[0] ?? '',
    many: send,
  };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('Batcher', () => {
  it('batches concurrent items, then those that arrived meanwhile, in order', async () => {
    const work = manualWork();
    const batcher = openBatcher(work);
    const together = ['a', 'b'].map((item) => batcher.run(item));
    await nextTick();
    const meanwhile = ['c', 'd', 'e'].map((item) => batcher.run(item));

    expect(work.calls.map((call) => call.items)).toEqual([['a', 'b']]);
    work.calls[0]?.finish();
    expect(await Promise.all(together)).toEqual(['a!', 'b!']);
    await nextTick();
    expect(work.calls.map((call) => call.items)).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
    work.calls[1]?.finish();
    expect(await Promise.all(meanwhile)).toEqual(['c!', 'd!', 'e!']);
  });

  it.each([
    [96, [96]],
    [100, [96, 4]],
    [400, [200, 100, 96, 4]],
    [1200, [512, 344, 172, 96, 76]],
  ])('splits a queue of %i into batches of %j', async (waiting, sizes) => {
    const work = manualWork();
    const batcher = openBatcher(work);
    const items = Array.from({ length: waiting }, (_, index) => `${index}`);
    const answers = Promise.all(items.map((item) => batcher.run(item)));
    for (const index of sizes.keys()) {
      await nextTick();
      work.calls[index]?.finish();
    }

    expect(await answers).toEqual(items.map((item) => `${item}!`));
    expect(work.calls.map((call) => call.items.length)).toEqual(sizes);
  });

  it('starts the next batch before it settles the last one', async () => {
    const work = manualWork();
    const batcher = openBatcher(work);
    const batchesStarted: number[] = [];
    const first = [batcher.run('a'), batcher.run('b')];
    for (const one of first) void one.then(() => batchesStarted.push(work.calls.length));
    await nextTick();
    const next = batcher.run('c');
    work.calls[0]?.finish();
    await Promise.all(first);
    work.calls[1]?.finish();

    expect(await next).toBe('c!');
    expect(batchesStarted).toEqual([2, 2]);
  });

  it('retries each item alone when a batch fails, so that only the bad one is rejected', async () => {
    const work = manualWork();
    const batcher = openBatcher(work);
    const outcomes = Promise.allSettled(['a', 'bad', 'c'].map((item) => batcher.run(item)));
    await nextTick();
    work.calls[0]?.finish(new Error('the whole batch was rolled back'));
    await nextTick();
    work.calls[1]?.finish();
    await nextTick();
    work.calls[2]?.finish(new Error('this one is bad'));
    await nextTick();
    work.calls[3]?.finish();

    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(work.calls.map((call) => call.items)).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('does not retry each item after a connection timeout', async () => {
    const work = manualWork();
    const batcher = openBatcher(work);
    const outcomes = Promise.allSettled(['a', 'b'].map((item) => batcher.run(item)));
    await nextTick();
    work.calls[0]?.finish(new Error('timeout exceeded when trying to connect'));

    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(work.calls).toHaveLength(1);
  });

  it('does not retry each item if every one would fail the same way', async () => {
    const work = manualWork();
    const batcher = openBatcher({ ...work, failsEach: (error) => String(error).includes('locked') });
    const outcomes = Promise.allSettled(['a', 'b'].map((item) => batcher.run(item)));
    await nextTick();
    work.calls[0]?.finish(new Error('their row is locked'));

    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(work.calls).toHaveLength(1);
  });

  it('rejects items while the queue is full, and accepts them again afterwards', async () => {
    const work = manualWork();
    const batcher = openBatcher(work, { maxQueueLength: 2 });
    const served = [batcher.run('a')];
    await nextTick();
    served.push(batcher.run('b'), batcher.run('c'));

    await expect(batcher.run('d')).rejects.toBeInstanceOf(QueueFullError);
    work.calls[0]?.finish();
    await nextTick();
    work.calls[1]?.finish();
    await Promise.all(served);

    const later = batcher.run('e');
    await nextTick();
    work.calls[2]?.finish();
    expect(await later).toBe('e!');
  });

  it('limits the size of a batch', async () => {
    const work = manualWork();
    const batcher = openBatcher(work, { maxBatchSize: 2 });
    const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => batcher.run(item)));
    for (let call = 0; call < 3; call += 1) {
      await nextTick();
      work.calls[call]?.finish();
    }

    await answers;
    expect(work.calls.map((call) => call.items.length)).toEqual([2, 2, 1]);
  });
});

import { describe, expect, it } from 'vitest';
import { openBatcher, QueueFullError } from './batcher.ts';

/** Work whose statements the test finishes by hand, in the order they were sent: as by a driver, not at once but in the next tick. */
function workByHand() {
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

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a lane', () => {
  it('serves together whoever comes at the same time, and then whoever came meanwhile, in the order they came', async () => {
    const work = workByHand();
    const lane = openBatcher(work);
    const together = ['a', 'b'].map((item) => lane.run(item));
    await turn();
    const meanwhile = ['c', 'd', 'e'].map((item) => lane.run(item));

    expect(work.calls.map((call) => call.items)).toEqual([['a', 'b']]);
    work.calls[0]?.finish();
    expect(await Promise.all(together)).toEqual(['a!', 'b!']);
    await turn();
    expect(work.calls.map((call) => call.items)).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
    work.calls[1]?.finish();
    expect(await Promise.all(meanwhile)).toEqual(['c!', 'd!', 'e!']);
  });

  it('begins the next batch before it tells the last one', async () => {
    const work = workByHand();
    const lane = openBatcher(work);
    const begun: number[] = [];
    const first = [lane.run('a'), lane.run('b')];
    for (const one of first) void one.then(() => begun.push(work.calls.length));
    await turn();
    const next = lane.run('c');
    work.calls[0]?.finish();
    await Promise.all(first);
    work.calls[1]?.finish();

    expect(await next).toBe('c!');
    expect(begun).toEqual([2, 2]);
  });

  it('serves each alone when their batch fails, so that only the bad one is told', async () => {
    const work = workByHand();
    const lane = openBatcher(work);
    const outcomes = Promise.allSettled(['a', 'bad', 'c'].map((item) => lane.run(item)));
    await turn();
    work.calls[0]?.finish(new Error('the whole batch was rolled back'));
    await turn();
    work.calls[1]?.finish();
    await turn();
    work.calls[2]?.finish(new Error('this one is bad'));
    await turn();
    work.calls[3]?.finish();

    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(work.calls.map((call) => call.items)).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('keeps nobody waiting for a connection one after the other', async () => {
    const work = workByHand();
    const lane = openBatcher(work);
    const outcomes = Promise.allSettled(['a', 'b'].map((item) => lane.run(item)));
    await turn();
    work.calls[0]?.finish(new Error('timeout exceeded when trying to connect'));

    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(work.calls).toHaveLength(1);
  });

  it('tells a batch at once of what each would wait for in vain as long', async () => {
    const work = workByHand();
    const lane = openBatcher({ ...work, failsEach: (error) => String(error).includes('locked') });
    const outcomes = Promise.allSettled(['a', 'b'].map((item) => lane.run(item)));
    await turn();
    work.calls[0]?.finish(new Error('their row is locked'));

    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(work.calls).toHaveLength(1);
  });

  it('turns away whoever comes when too many are waiting, and serves again after', async () => {
    const work = workByHand();
    const lane = openBatcher(work, { waitingAtMost: 2 });
    const served = [lane.run('a')];
    await turn();
    served.push(lane.run('b'), lane.run('c'));

    await expect(lane.run('d')).rejects.toBeInstanceOf(QueueFullError);
    work.calls[0]?.finish();
    await turn();
    work.calls[1]?.finish();
    await Promise.all(served);

    const later = lane.run('e');
    await turn();
    work.calls[2]?.finish();
    expect(await later).toBe('e!');
  });

  it('takes no more into one batch than it may', async () => {
    const work = workByHand();
    const lane = openBatcher(work, { batchAtMost: 2 });
    const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => lane.run(item)));
    for (let call = 0; call < 3; call += 1) {
      await turn();
      work.calls[call]?.finish();
    }

    await answers;
    expect(work.calls.map((call) => call.items.length)).toEqual([2, 2, 1]);
  });
});

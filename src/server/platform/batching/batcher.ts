/**
 * Many callers, one queue, few commits. While one batch is under way, whoever arrives waits together for the next:
 * the busier it gets, the larger the batches, and nobody waits for a timer. A batch begins when this process has read
 * what lies ready on its sockets, so that requests which came together go together. Source: docs/decisions/0020.
 */
import { setImmediate as whatLiesReady } from 'node:timers/promises';
import { isOutOfReach } from '#server/platform/database.ts';
import { depthOf } from '#server/platform/metrics/sample.ts';

export interface BatchWork<Item, Answer> {
  /** For the metrics. */
  name?: string;
  /** Does a single item, when nobody else is waiting: the cheaper statement. */
  one(item: Item): Promise<Answer>;
  /** Does several at once, and answers in their order. All of it fails or none. */
  many(items: readonly Item[]): Promise<readonly Answer[]>;
  /** Whether each alone would wait as long for the same error: then a batch that meets it is told at once. */
  failsEach?(error: unknown): boolean;
}

export interface Batcher<Item, Answer> {
  /** Answers when the item's batch is committed. Throws `LaneFull` at once when too many are waiting. */
  run(item: Item): Promise<Answer>;
}

/** More are waiting than can be served in a bearable time. */
export class QueueFullError extends Error {
  override name = 'LaneFull';
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const BATCH_AT_MOST = 512;
const WAITING_AT_MOST = 5_000;

export function openBatcher<Item, Answer>(
  work: BatchWork<Item, Answer>,
  { batchAtMost = BATCH_AT_MOST, waitingAtMost = WAITING_AT_MOST } = {},
): Batcher<Item, Answer> {
  const depth = depthOf(work.name ?? 'unnamed');
  let queue: Waiting<Item, Answer>[] = [];
  let isBusy = false;

  async function drain(): Promise<void> {
    isBusy = true;
    await whatLiesReady();
    while (queue.length > 0) {
      const batch = queue.slice(0, batchAtMost);
      queue = queue.slice(batchAtMost);
      depth.waiting -= batch.length;
      const answer = await serve(work, batch);
      // Whoever waits already goes first, so that the database works while these are answered.
      if (queue.length > 0) setImmediate(answer);
      else {
        answer();
        await whatLiesReady();
      }
    }
    isBusy = false;
  }

  return {
    run: (item) =>
      new Promise((resolve, reject) => {
        if (queue.length >= waitingAtMost) return reject(new QueueFullError('too many are waiting'));
        queue.push({ item, resolve, reject });
        depth.waiting += 1;
        if (!isBusy) void drain();
      }),
  };
}

/** Resolves to how they are told, once that is known. */
async function serve<Item, Answer>(
  work: BatchWork<Item, Answer>,
  batch: readonly Waiting<Item, Answer>[],
): Promise<() => void> {
  const tell = batch.length > 1 ? await serveTogether(work, batch) : null;
  if (tell) return tell;
  for (const waiting of batch) await serveAlone(work, waiting);
  return () => {};
}

/** Null when the batch failed: then each is served alone, so that one bad item does not fail its neighbours. */
async function serveTogether<Item, Answer>(
  work: BatchWork<Item, Answer>,
  batch: readonly Waiting<Item, Answer>[],
): Promise<(() => void) | null> {
  try {
    const answers = await work.many(batch.map((waiting) => waiting.item));
    if (answers.length !== batch.length) throw new Error('a batch answered for another number of items');
    return () => batch.forEach((waiting, place) => waiting.resolve(answers[place] as Answer));
  } catch (error) {
    // One after the other they would wait as long each; and what a broken connection was sent may have been done.
    const isOfAll = isOutOfReach(error) || work.failsEach?.(error);
    return isOfAll ? () => batch.forEach((waiting) => waiting.reject(error)) : null;
  }
}

async function serveAlone<Item, Answer>(work: BatchWork<Item, Answer>, waiting: Waiting<Item, Answer>): Promise<void> {
  try {
    waiting.resolve(await work.one(waiting.item));
  } catch (error) {
    waiting.reject(error);
  }
}

/**
 * Group commit. While one batch is in progress, new items queue for the next one, so batches grow with the load and no item
 * waits for a timer. A batch starts after the pending socket events, so that concurrent requests end up in one batch. It takes
 * half of a long queue, so that the database works on the other half while this one is answered. See docs/decisions/0020.
 */
import { setImmediate as pendingSocketEvents } from 'node:timers/promises';
import { isConnectionError } from '#server/platform/database.ts';
import { tallyOfBatcher } from '#server/platform/metrics/tallies.ts';

export interface BatchWork<Item, Answer> {
  /** Label of the metrics. */
  name?: string;
  /** Processes a single item with a cheaper statement. */
  one(item: Item): Promise<Answer>;
  /** Processes several items atomically and returns the results in their order. */
  many(items: readonly Item[]): Promise<readonly Answer[]>;
  /** True if every item alone would fail with the same error: then the batch is rejected without a retry per item. */
  failsEach?(error: unknown): boolean;
}

export interface Batcher<Item, Answer> {
  /** Resolves when the item's batch is committed. Rejects with `QueueFullError` at once if the queue is full. */
  run(item: Item): Promise<Answer>;
}

/** More items are waiting than can be processed in reasonable time. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const MAX_BATCH_SIZE = 512;
/** A shorter queue is not split: its commit costs more than the wait. */
const MIN_SPLIT_SIZE = 96;
const MAX_QUEUE_LENGTH = 5_000;

export function openBatcher<Item, Answer>(
  work: BatchWork<Item, Answer>,
  { maxBatchSize = MAX_BATCH_SIZE, maxQueueLength = MAX_QUEUE_LENGTH } = {},
): Batcher<Item, Answer> {
  const tally = tallyOfBatcher(work.name ?? 'unnamed');
  let queue: Waiting<Item, Answer>[] = [];
  let isBusy = false;

  async function drain(): Promise<void> {
    isBusy = true;
    await pendingSocketEvents();
    while (queue.length > 0) {
      const size = Math.min(maxBatchSize, Math.max(MIN_SPLIT_SIZE, Math.ceil(queue.length / 2)));
      const batch = queue.slice(0, size);
      queue = queue.slice(size);
      tally.waiting -= batch.length;
      tally.batches += 1;
      tally.requests += batch.length;
      const answer = await processBatch(work, batch);
      // The next batch goes to the database first, so that it works while this one is answered.
      if (queue.length > 0) setImmediate(answer);
      else {
        answer();
        await pendingSocketEvents();
      }
    }
    isBusy = false;
  }

  return {
    run: (item) =>
      new Promise((resolve, reject) => {
        if (queue.length >= maxQueueLength) {
          tally.rejected += 1;
          return reject(new QueueFullError('the batcher queue is full'));
        }
        queue.push({ item, resolve, reject });
        tally.waiting += 1;
        if (!isBusy) void drain();
      }),
  };
}

/** Resolves to a function that settles the items. */
async function processBatch<Item, Answer>(
  work: BatchWork<Item, Answer>,
  batch: readonly Waiting<Item, Answer>[],
): Promise<() => void> {
  const settle = batch.length > 1 ? await processTogether(work, batch) : null;
  if (settle) return settle;
  for (const waiting of batch) await processAlone(work, waiting);
  return () => {};
}

/** Null if the batch failed and its items must be retried one by one, so that a bad item fails alone. */
async function processTogether<Item, Answer>(
  work: BatchWork<Item, Answer>,
  batch: readonly Waiting<Item, Answer>[],
): Promise<(() => void) | null> {
  try {
    const answers = await work.many(batch.map((waiting) => waiting.item));
    if (answers.length !== batch.length) throw new Error('a batch returned the wrong number of results');
    return () => batch.forEach((waiting, index) => waiting.resolve(answers[index] as Answer));
  } catch (error) {
    // Retrying would repeat the same wait for each item, or run a statement twice that may have been committed.
    const failsEach = isConnectionError(error) || work.failsEach?.(error);
    return failsEach ? () => batch.forEach((waiting) => waiting.reject(error)) : null;
  }
}

async function processAlone<Item, Answer>(
  work: BatchWork<Item, Answer>,
  waiting: Waiting<Item, Answer>,
): Promise<void> {
  try {
    waiting.resolve(await work.one(waiting.item));
  } catch (error) {
    waiting.reject(error);
  }
}

/** Runs `work` on every item in order, with at most `concurrency` in progress. `work` must not reject. */
export async function mapConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const remaining = items.values();
  const worker = async () => {
    for (const item of remaining) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Does the work for each, so many at a time, in their order. The work must not fail. */
export async function mapConcurrently<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const one = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

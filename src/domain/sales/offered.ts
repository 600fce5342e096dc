/** How many tickets of an event can be sold in all, where some types sell from the same seats. */

interface Type {
  id: string;
  quantity: number;
}

interface Capacity {
  seats: number;
  /** Of how many seats a ticket of each type takes some. */
  units: ReadonlyMap<string, number>;
}

/**
 * An upper bound: as if a shared capacity was filled by the type that takes the fewest of its seats. A type that is in several
 * capacities counts in the smallest.
 */
export function ticketsOffered(types: readonly Type[], capacities: readonly Capacity[]): number {
  const rest = new Map(types.map(({ id, quantity }) => [id, quantity]));
  let offered = 0;
  for (const { seats, units } of capacities.toSorted((one, other) => one.seats - other.seats)) {
    const members = [...units].filter(([id]) => rest.has(id));
    if (members.length === 0) continue;
    const tickets = members.reduce((sum, [id, each]) => sum + Math.min(rest.get(id) ?? 0, Math.floor(seats / each)), 0);
    offered += Math.min(tickets, Math.floor(seats / Math.min(...members.map(([, each]) => each))));
    for (const [id] of members) rest.delete(id);
  }
  return [...rest.values()].reduce((sum, quantity) => sum + quantity, offered);
}

/** Sets the shared capacities of an event, as its *Tickets* screen does. */
import { editTickets, eventTickets } from '#contract/app/events.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';

interface NewCapacity {
  name: string;
  capacity: number;
  /** What a ticket takes of it, by the name of its type. */
  units: Readonly<Record<string, number>>;
}

export async function shareCapacity(
  { visitor, eventId }: { visitor: Visitor; eventId: string },
  ...capacities: NewCapacity[]
): Promise<void> {
  const { tickets } = expectOk(await visitor.call(eventTickets, { eventId }));
  const sharedCapacities = capacities.map(({ units, ...capacity }) => ({
    ...capacity,
    units: tickets.map(({ ticketName }) => units[ticketName] ?? ''),
  }));
  expectOk(await visitor.call(editTickets, { eventId, tickets, sharedCapacities }));
}

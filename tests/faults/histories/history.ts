/** One event's life, with what the people in it were told. */
import type { World } from '#tests/support/world.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface Session {
  id: string;
  url: string;
  email: string;
  /** The payment page led on: money was taken, or none was due. */
  isPaid: boolean;
}

export interface History {
  name: string;
  random: SeededRandom;
  eventId: string;
  organizerId: string;
  types: readonly { name: string; priceCents: number; quantity: number }[];
  endsAt: Date;
  sessions: Session[];
  /** Confirmation numbers that a buyer was told are on their way back. */
  accepted: Set<string>;
  /** Confirmation number and device, of each guest who was let in. */
  admitted: { number: string; grantId: string }[];
  /** Cents, of each payout that was answered with a sum. */
  paidOut: number[];
  isCancelled: boolean;
  /** What happened, in order. */
  log: string[];
  /** What must not happen. */
  failures: string[];
}

export interface Stage {
  world: World;
  history: History;
}

export interface TicketRow {
  confirmationNumber: string;
  state: string;
  priceCents: number;
  scannedAt: Date | null;
}

export function ticketsOf({ world, history }: Stage): Promise<TicketRow[]> {
  return world.db
    .selectFrom('tickets')
    .where('eventId', '=', history.eventId)
    .select(['confirmationNumber', 'state', 'priceCents', 'scannedAt'])
    .orderBy('id')
    .execute();
}

import type { RefundCosts } from '#domain/payouts/refund-costs.ts';
import type { Db } from '#server/platform/database.ts';
import { newAttendantCode, newId } from '#server/platform/ids.ts';
import { STANDARD_TERMS } from '#tests/support/standard-terms.ts';

interface NewEvent {
  now: Date;
  eventId: string;
  organizationId: string;
  title: string;
  endsAt: Date;
  refundCosts?: RefundCosts;
  types: readonly { name: string; priceCents: number; quantity: number }[];
}

const HOUR = 60 * 60 * 1000;

/** Inserts an event in the state that creating it leaves, without the limit on events per organization. */
export async function insertEvent(
  db: Db,
  { now, eventId, organizationId, title, endsAt, refundCosts, types }: NewEvent,
): Promise<void> {
  await db
    .insertInto('events')
    .values({
      id: eventId,
      recordId: newId(),
      organizationId,
      title,
      description: 'Loud.',
      street: '38 Withers St',
      city: 'Brooklyn',
      state: 'NY',
      postalCode: '11211',
      timezone: 'America/New_York',
      startsAt: new Date(endsAt.getTime() - 3 * HOUR),
      endsAt,
      participants: '200',
      latitude: 40.71,
      longitude: -73.95,
      attendantCode: newAttendantCode(),
      feeTerms: JSON.stringify({ ...STANDARD_TERMS, refundCosts }),
      cancelledAt: null,
      createdAt: now,
    })
    .execute();
  await db
    .insertInto('ticketTypes')
    .values(types.map((type, position) => ({ eventId, id: newId(), position, description: 'A ticket', ...type })))
    .execute();
}

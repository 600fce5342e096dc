import { normalizeCode } from '#domain/codes.ts';
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
  /** All types sell from it; units in their order. */
  sharedCapacity?: { capacity: number; units: readonly number[] } | undefined;
  /** Percent off all types, for so many tickets. */
  promoCode?: { code: string; percent: number; maxUses: number } | undefined;
}

const HOUR = 60 * 60 * 1000;

/** Inserts an event in the state that creating it leaves, without the limit on events per organization. */
export async function insertEvent(
  db: Db,
  { now, eventId, organizationId, title, endsAt, refundCosts, types, sharedCapacity, promoCode }: NewEvent,
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
      publishedAt: now,
    })
    .execute();
  const rows = types.map((type, position) => ({ eventId, id: newId(), position, description: 'A ticket', ...type }));
  await db
    .insertInto('ticketTypes')
    .values(rows.map((row) => ({ ...row, sharesCapacity: sharedCapacity !== undefined })))
    .execute();
  if (promoCode) {
    const { code, percent, maxUses } = promoCode;
    const terms = { kind: 'percent' as const, value: percent * 100, isForAll: true, maxUses, maxPerOrder: null };
    await db
      .insertInto('promoCodes')
      .values({ eventId, id: newId(), code, key: normalizeCode(code), ...terms, createdAt: now })
      .execute();
  }
  if (!sharedCapacity) return;

  const { capacity, units } = sharedCapacity;
  const sharedCapacityId = newId();
  await db
    .insertInto('sharedCapacities')
    .values({ eventId, id: sharedCapacityId, position: 0, name: 'Hall', capacity })
    .execute();
  await db
    .insertInto('sharedCapacityMembers')
    .values(rows.map(({ id }, index) => ({ eventId, sharedCapacityId, ticketTypeId: id, units: units[index] ?? 1 })))
    .execute();
}

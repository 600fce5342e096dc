import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import type { CheckoutLine } from '#server/platform/ports/payment-processor.ts';

interface LostOrder extends OrderRef {
  sessionId: string;
  totalCents: number;
  lines: readonly CheckoutLine[];
  at: Date;
}

/** False if the order is known, or was rebuilt in the meantime. The caller holds the event's lock. */
export async function insertLostOrder(tx: Db, order: LostOrder): Promise<boolean> {
  const { eventId, orderId, sessionId, totalCents, lines, at } = order;
  const { rows } = await sql<{ isNew: boolean }>`
    select rebuild_order(
      ${eventId}, ${orderId}, ${sessionId}, ${totalCents}::integer,
      ${lines.map((line) => line.ticketTypeId)}::uuid[],
      ${lines.map((line) => line.listPriceCents)}::integer[],
      ${lines.map((line) => line.unitPriceCents)}::integer[],
      ${lines.map((line) => line.quantity)}::integer[],
      ${lines.map((line) => line.promoCodeId)}::uuid[], ${at}) as is_new`.execute(tx);
  return rows[0]?.isNew ?? false;
}

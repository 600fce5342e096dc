import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';

/** A payment that is valid in itself. */
export interface Sale extends OrderRef {
  sessionId: string;
  paymentId: string | null;
  buyerEmail: string;
  /** Null for free orders, and if Stripe reports none. */
  buyerName: string | null;
  cents: number;
  feeCents: number | null;
  /** A keyed hash of the card; null for other payments. */
  cardHash: Buffer | null;
}

/** Whether each sale is now settled. The others are unchanged. If an order is listed twice, the first one counts. */
export async function completeSales(db: Db, sales: readonly Sale[]): Promise<boolean[]> {
  const { rows } = await sql<{ settled: number[] }>`
    select complete_orders(
      ${sales.map((sale) => sale.eventId)}::text[],
      ${sales.map((sale) => sale.orderId)}::uuid[],
      ${sales.map((sale) => sale.sessionId)}::text[],
      ${sales.map((sale) => sale.paymentId)}::text[],
      ${sales.map((sale) => sale.buyerEmail)}::text[],
      ${sales.map((sale) => sale.buyerName)}::text[],
      ${sales.map((sale) => sale.cents)}::integer[],
      ${sales.map((sale) => sale.feeCents)}::integer[],
      ${sales.map((sale) => sale.cardHash)}::bytea[]) as settled`.execute(db);
  const settled = new Set(rows[0]?.settled);
  return sales.map((_, index) => settled.has(index + 1));
}

/** Completes one order whose lock the caller holds and whose stock is reserved. */
export async function sellOrder(tx: Db, sale: Sale, at: Date): Promise<void> {
  await sql`
    select sell_orders(
      array[${sale.eventId}], array[${sale.orderId}]::uuid[], array[${sale.sessionId}], array[${sale.paymentId}]::text[],
      array[${sale.buyerEmail}], array[${sale.buyerName}]::text[], array[${sale.cents}]::integer[], array[${sale.feeCents}]::integer[],
      array[${sale.cardHash}]::bytea[], ${at})`.execute(tx);
}

import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { countOpenDisputes } from './refunds.sql.ts';

/** An inquiry doesn't count: it withdraws no money. */
export async function hasOpenDispute(db: Db, order: OrderRef): Promise<boolean> {
  return (await countOpenDisputes(db, order)) > 0;
}

import type { OrderRef } from '#domain/order.ts';

import { type Db } from '#server/platform/database.ts';
import { countOpenDisputes } from './refunds.sql.ts';

/** Whether a buyer's bank holds the order's money right now. An inquiry holds nothing. */
export async function hasOpenDispute(db: Db, order: OrderRef): Promise<boolean> {
  return (await countOpenDisputes(db, order)) > 0;
}

/** A buyer who refunds again and again costs others money: further refunds are the organizer's to decide. */
import type { OrderRef } from '#domain/order.ts';
import { denyRepeatedRefund } from '#domain/settlement.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { lockRefunders, readRefunder } from './repeat-refunds.sql.ts';

/** Where no money is real, everyone pays with the same test cards, and scripts refund as they like. The caller locks the order. */
export async function requireFewRefunds(
  { takesRealMoney }: Pick<Deps, 'takesRealMoney'>,
  tx: Db,
  order: OrderRef,
  cents: number,
): Promise<void> {
  if (!takesRealMoney) return;
  await lockRefunders(tx, order);
  const denial = denyRepeatedRefund({ cents, ...(await readRefunder(tx, order)) });
  if (denial) throw new AppError(`refund.${denial}`);
}

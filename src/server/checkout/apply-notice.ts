/**
 * Acts on one report of the card company. The report is only a hint, and may come late, twice or out of order:
 * whatever it says, the order is settled by what the card company answers now.
 */
import type { Deps } from '#server/deps.ts';
import { markNoticeProcessed, openNotice } from './checkout.sql.ts';
import { settleOrder } from './settle-order.ts';

/** Those tell what we asked for ourselves; thousands of them come after an event is cancelled. */
const ABOUT_REFUNDS = /^(?:refund\.|charge\.refund)/;

export async function applyNotice(deps: Pick<Deps, 'db' | 'cards' | 'clock' | 'log'>, noticeId: string): Promise<void> {
  const notice = await openNotice(deps.db, noticeId);
  if (!notice) return;

  const { eventId, orderId } = notice;
  const isNews = !ABOUT_REFUNDS.test(notice.type);
  if (isNews && eventId !== null && orderId !== null) await settleOrder(deps, { eventId, orderId });

  // After the effect: a crash in between repeats the effect, which then finds nothing left to do.
  await markNoticeProcessed(deps.db, noticeId, deps.clock.now());
}

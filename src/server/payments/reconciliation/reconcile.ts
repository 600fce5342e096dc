/**
 * Reconciles our records with Stripe's, so that the product works without any webhook. Settles payments, refunds and
 * disputes that we missed and records discrepancies. It never moves money.
 */
import { endReconciledRestore } from '#server/payments/restores/restores.sql.ts';
import type { Deps } from '#server/platform/deps.ts';
import { compareMovements } from './compare-movements.ts';
import { inPages } from './in-pages.ts';
import { deleteOldPolls } from './polls.sql.ts';
import { markReadUntil, saveMovements, unreadMovements } from './reconciliation.sql.ts';
import { settleChangedPayments } from './settle-changed-payments.ts';
import { settleCompletedCheckouts } from './settle-completed-checkouts.ts';

const PAGE_SIZE = 100;
/** Stripe lists objects with a delay, and a checkout can stay open for a while. */
const OVERLAP_MS = 2 * 60 * 60 * 1000;

export async function reconcile(
  deps: Pick<Deps, 'db' | 'paymentProcessor' | 'payoutAccounts' | 'balanceTransactions' | 'clock' | 'log'>,
  requestedSince: Date,
  limits: { settledCheckouts?: number; polls?: number } = {},
): Promise<void> {
  const { unreadFrom, now } = await unreadMovements(deps.db);
  // After an outage longer than the look-back, continues where the last complete run ended.
  const since = new Date(Math.min(requestedSince.getTime(), (unreadFrom ?? now).getTime() - OVERLAP_MS));

  const completed = [
    await settleCompletedCheckouts(deps, since, limits.settledCheckouts),
    await settleChangedPayments(deps, since, limits.polls),
  ];
  for await (const page of inPages(deps.balanceTransactions.movements(since), PAGE_SIZE))
    await saveMovements(deps.db, page);
  await compareMovements(deps, since, limits.polls);
  await deleteOldPolls(deps.db);
  // Last, and only after a complete run: an interrupted run starts again from the same time.
  if (!completed.every(Boolean)) return;
  await markReadUntil(deps.db, now);
  if (await endReconciledRestore(deps.db, now))
    deps.log.warn('the restored database agrees with Stripe: payouts and refunds go on');
}

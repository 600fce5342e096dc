/**
 * Compares the card company's own records with ours, so that no notice ever has to arrive: settles what was paid, given
 * back or disputed without our knowing, and writes down what does not agree. It never moves money by itself.
 */
import type { Deps } from '#server/platform/deps.ts';
import { compareMovements } from './compare-movements.ts';
import { inPages } from './in-pages.ts';
import { deleteOldPolls } from './polls.sql.ts';
import { markMovementsRead, movementsUnread, saveMovements } from './reconciliation.sql.ts';
import { settleCompletedCheckouts } from './settle-completed-checkouts.ts';
import { settleTouchedPayments } from './settle-touched-payments.ts';

const PAGE = 100;
/** The card company lists things a little after they happened, and a checkout takes its time. */
const OVERLAP_MS = 2 * 60 * 60 * 1000;

export async function reconcile(
  deps: Pick<Deps, 'db' | 'cards' | 'payoutAccounts' | 'books' | 'clock' | 'log'>,
  wanted: Date,
  atMost: { settledCheckouts?: number; looks?: number } = {},
): Promise<void> {
  const { unreadFrom, now } = await movementsUnread(deps.db);
  // After an outage that was longer than the look-back, from where the last run had come to.
  const since = new Date(Math.min(wanted.getTime(), (unreadFrom ?? now).getTime() - OVERLAP_MS));

  const isWhole = [
    await settleCompletedCheckouts(deps, since, atMost.settledCheckouts),
    await settleTouchedPayments(deps, since, atMost.looks),
  ];
  for await (const page of inPages(deps.books.movements(since), PAGE)) await saveMovements(deps.db, page);
  await compareMovements(deps, since, atMost.looks);
  await deleteOldPolls(deps.db);
  // Last, and only of a whole run: one that was cut off is repeated from the same moment on.
  if (isWhole.every(Boolean)) await markMovementsRead(deps.db, now);
}

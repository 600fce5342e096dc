import type { DeletionDenial } from '#contract/app/privacy.ts';
import { denyPayout } from '#domain/settlement.ts';
import { isAdditionalPayoutDue } from '#server/payments/payouts/claim-additional-payout.ts';
import { BY_TOTALS, settledStatements } from '#server/payments/payouts/settled-statement.ts';
import type { Db } from '#server/platform/database.ts';
import { organizationStandingOf, settledEventsOf } from './organizer.sql.ts';

/** Why an organization must stay for now. Requires locks on its events and its row. */
export async function denyDeletion(tx: Db, organizationId: string, now: Date): Promise<DeletionDenial | null> {
  const standing = await organizationStandingOf(tx, organizationId);
  if (standing.hasOpenEvent) return 'event-open';
  if (standing.hasRefundUnderWay) return 'refund-under-way';
  if (standing.hasOpenDispute) return 'dispute-open';
  if (standing.hasPayoutUnderWay || (await isAdditionalPayoutDue(tx, organizationId))) return 'payout-under-way';
  if (standing.hasReversal) return 'money-owed';
  return (await hasPayoutDue(tx, organizationId, now)) ? 'not-paid-out' : null;
}

/** Ignores events that never pay out because nothing was sold or the fees exceed the sales. */
async function hasPayoutDue(tx: Db, organizationId: string, now: Date): Promise<boolean> {
  const events = await settledEventsOf(tx, organizationId);
  const statementOf = await settledStatements(tx, events, BY_TOTALS);
  return events.some((event) => {
    const { latestEndsAt: endsAt, cancelledAt, payoutRequestedAt } = event;
    // A payout that waits for an objection is due all the same.
    const standing = { endsAt, cancelledAt, isPaidOut: payoutRequestedAt !== null, hasOpenObjections: false };
    return denyPayout(standing, statementOf(event), now) === null;
  });
}

/**
 * Additional payout of an event that was paid out: the money that a dispute had put on hold or reversed. It is
 * claimed automatically, in the transaction that makes it due.
 */
import { additionalPayoutStatement } from '#domain/payout-statement.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { holdsOf } from '#server/payments/holds/holds.sql.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';
import { owedOfEvent } from './claim-reserve.ts';
import { completePayout } from './complete-payout.ts';
import { outstandingDebt } from './debts.ts';
import { closeReturns, eventsWithReturns, eventsWithReturnsOf, readReturns } from './on-hold.ts';
import { deductions, pricesOfOrders } from './payout-sums.sql.ts';
import { insertPayout, lockEventById, payoutRows } from './payouts.sql.ts';
import { unpaidReserveCents } from './reserves.sql.ts';

const BATCH_SIZE = 200;

/** Locks the event first, because a payout recorded at the same time would be counted twice or not at all. */
export async function claimAdditionalPayout({ log }: Pick<Deps, 'log'>, tx: Db, eventId: string): Promise<void> {
  const event = await lockEventById(tx, eventId);
  const payouts = await payoutRows(tx, [eventId]);
  const [first] = payouts;
  const due = first && (await returnsOf(tx, eventId));
  if (!first || !due) return;

  const { disputeIds, ...returned } = due;
  await lockOrganization(tx, event.organizationId);
  // It stays due and is claimed once the hold is lifted.
  if ((await holdsOf(tx, [eventId])).size > 0) return;
  const debtCents = await outstandingDebt(tx, event.organizationId);
  const statement: SettledStatement = {
    ...additionalPayoutStatement(returned, first.statement.rate, debtCents),
    refundedCents: 0,
  };
  const { grossCents, deductedCents, netCents } = statement;
  const owedCents = (await owedOfEvent(tx, eventId, payouts)) - (await unpaidReserveCents(tx, eventId));
  if (grossCents - deductedCents > owedCents) {
    // It stays due and is retried. The operator sees it if that takes too long.
    log.error({ eventId, owedCents, statement }, 'an additional payout exceeds what the ledger owes');
    return;
  }

  const payoutId = newId();
  const seq = Math.max(...payouts.map((payout) => payout.seq)) + 1;
  const { accountId, sendAfter } = first;
  const payout = {
    eventId,
    id: payoutId,
    seq,
    cents: netCents,
    statement,
    accountId,
    sendAfter,
    requestedAt: event.now,
  };
  if (!(await insertPayout(tx, payout))) throw new Error(`payout ${seq} of event ${eventId} already exists`);
  await closeReturns(tx, { eventId, payoutId }, disputeIds);
  if (netCents === 0) await completePayout(tx, { eventId, payoutId }, null);
  else await enqueue(tx, 'send-payout', { eventId, payoutId });
}

async function returnsOf(tx: Db, eventId: string) {
  const disputes = await readReturns(tx, eventId);
  const ordersOnHold = [...new Set(disputes.filter((dispute) => dispute.isOnHold).map((dispute) => dispute.orderId))];
  const pricesCents = await pricesOfOrders(tx, eventId, ordersOnHold);
  const parts = await deductions(tx, [eventId]);
  const deductedCents = parts
    .filter(({ orderId }) => ordersOnHold.includes(orderId))
    .reduce((sum, { cents }) => sum + cents, 0);
  const recovered = disputes.filter((dispute) => !dispute.isOnHold);
  const reversedCents = recovered.reduce((sum, dispute) => sum + dispute.reversedCents, 0);
  const reversedFeesCents = recovered.reduce((sum, dispute) => sum + dispute.reversedFeesCents, 0);

  const grossCents = pricesCents.reduce((sum, price) => sum + price, reversedCents);
  if (grossCents - deductedCents <= 0) return null;
  const disputeIds = disputes.map((dispute) => dispute.disputeId);
  return { pricesCents, deductedCents, reversedCents, reversedFeesCents, disputeIds };
}

/** Whether an additional payout of the organization is due. Requires locks on its events. */
export async function isAdditionalPayoutDue(tx: Db, organizationId: string): Promise<boolean> {
  for (const eventId of await eventsWithReturnsOf(tx, organizationId)) {
    if (await returnsOf(tx, eventId)) return true;
  }
  return false;
}

/** Claims additional payouts that could not be claimed when they became due. */
export async function claimWaitingAdditionalPayouts({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (const eventId of await eventsWithReturns(db, BATCH_SIZE)) {
    try {
      await inTransaction(db, (tx) => claimAdditionalPayout({ log }, tx, eventId));
    } catch (error) {
      // One failing event must not block the others.
      log.warn({ err: error, eventId }, 'could not claim an additional payout');
    }
  }
}

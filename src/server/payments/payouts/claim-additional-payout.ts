/**
 * A further payout of an event that was paid out: what a dispute had held back, or taken away, is the organizer's
 * again. Nobody asks for it; it is claimed in the transaction that makes it due.
 */
import { additionalPayoutStatement } from '#domain/payout-statement.ts';
import { readEventBalances } from '#server/ledger/read-balances.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import type { SettledStatement } from '#server/platform/schema.ts';
import { completePayout } from './complete-payout.ts';
import { outstandingDebt } from './debts.ts';
import { closeReturns, eventsWithReturns, readReturns } from './on-hold.ts';
import { deductions, pricesOfOrders } from './payout-sums.sql.ts';
import { insertPayout, lockEventById, lockOrganizer, payoutRows } from './payouts.sql.ts';

/** Holds the event before it looks: a payout that is recorded meanwhile would be counted twice, or not at all. */
export async function claimAdditionalPayout({ log }: Pick<Deps, 'log'>, tx: Db, eventId: string): Promise<void> {
  const event = await lockEventById(tx, eventId);
  const payouts = await payoutRows(tx, [eventId]);
  const [first] = payouts;
  const due = first && (await returnsOf(tx, eventId));
  if (!first || !due) return;

  const { payableCents } = await readEventBalances(tx, eventId);
  const { disputeIds, comingBackCents, ...returned } = due;
  await lockOrganizer(tx, event.organizerId);
  const debtCents = await outstandingDebt(tx, event.organizerId);
  const statement: SettledStatement = {
    ...additionalPayoutStatement(returned, first.statement.rate, debtCents),
    refundedCents: 0,
  };
  const { grossCents, deductedCents, netCents } = statement;
  const owedCents = payableCents - grossOfUnpaid(payouts) + comingBackCents;
  if (grossCents - deductedCents > owedCents) {
    // It stays due and is tried again; when that takes long, the operator sees it.
    log.error({ eventId, owedCents, statement }, 'a further payout is more than the books owe');
    return;
  }

  const payoutId = newId();
  const seq = Math.max(...payouts.map((payout) => payout.seq)) + 1;
  const { accountId } = first;
  const payout = { eventId, id: payoutId, seq, cents: netCents, statement, accountId, requestedAt: event.now };
  if (!(await insertPayout(tx, payout))) throw new Error(`event ${eventId} got payout ${seq} from somebody else`);
  await closeReturns(tx, { eventId, payoutId }, disputeIds);
  if (netCents === 0) await completePayout(tx, { eventId, payoutId }, null);
  else await enqueue(tx, 'send-payout', { eventId, payoutId });
}

/** What earlier payouts of the event have claimed and the books do not show yet. */
function grossOfUnpaid(payouts: Awaited<ReturnType<typeof payoutRows>>): number {
  return payouts
    .filter(({ state }) => state !== 'paid')
    .reduce((sum, { statement }) => sum + statement.grossCents - statement.deductedCents, 0);
}

async function returnsOf(tx: Db, eventId: string) {
  const { disputes, comingBackCents } = await readReturns(tx, eventId);
  const withheldOrders = [...new Set(disputes.filter((one) => one.isWithheld).map((one) => one.orderId))];
  const pricesCents = await pricesOfOrders(tx, eventId, withheldOrders);
  const parts = await deductions(tx, [eventId]);
  const deductedCents = parts
    .filter(({ orderId }) => withheldOrders.includes(orderId))
    .reduce((sum, { cents }) => sum + cents, 0);
  const recovered = disputes.filter((one) => !one.isWithheld);
  const recoveredCents = recovered.reduce((sum, one) => sum + one.recoveredCents, 0);
  const recoveredFeesCents = recovered.reduce((sum, one) => sum + one.recoveredFeesCents, 0);

  const grossCents = pricesCents.reduce((sum, price) => sum + price, recoveredCents);
  if (grossCents - deductedCents <= 0) return null;
  const disputeIds = disputes.map((one) => one.disputeId);
  return { pricesCents, deductedCents, recoveredCents, recoveredFeesCents, disputeIds, comingBackCents };
}

const AT_ONCE = 200;

/** Claims the further payouts that became due and were not claimed then: the books owed less, or a step was lost. */
export async function claimWaitingAdditionalPayouts({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (const eventId of await eventsWithReturns(db, AT_ONCE)) {
    try {
      await inTransaction(db, (tx) => claimAdditionalPayout({ log }, tx, eventId));
    } catch (error) {
      // One event's further payout must not keep the others' waiting.
      log.warn({ err: error, eventId }, 'a further payout could not be claimed');
    }
  }
}

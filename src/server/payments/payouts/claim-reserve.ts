/** Pays what an event's first payout held back, as an additional payout once it is due. */
import { heldStatement } from '#domain/payout-statement.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { readEventBalances } from '#server/ledger/read-balances.ts';
import { holdsOf } from '#server/payments/holds/holds.sql.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';
import { completePayout } from './complete-payout.ts';
import { outstandingDebt } from './debts.ts';
import { insertPayout, lockEventById, payoutRows } from './payouts.sql.ts';
import { dueReserve, dueReserves, markReservePaid, type ReserveRef } from './reserves.sql.ts';
import { claimedCents } from './reversals.sql.ts';

const BATCH_SIZE = 200;

/** Locks the event first, because a payout recorded at the same time would be counted twice or not at all. */
async function claimReserve({ log }: Pick<Deps, 'log'>, tx: Db, ref: ReserveRef): Promise<void> {
  const { eventId } = ref;
  const event = await lockEventById(tx, eventId);
  const due = await dueReserve(tx, ref);
  const payouts = await payoutRows(tx, [eventId]);
  const [first] = payouts;
  if (!due || !first) return;

  const owedCents = await owedOfEvent(tx, eventId, payouts);
  if (due.cents > owedCents) {
    // It stays due and is retried. The doctor reports it.
    log.error({ ...ref, owedCents, ...due }, 'held back more than the ledger owes');
    return;
  }
  await lockOrganization(tx, event.organizationId);
  // It stays due and is claimed once the hold is lifted.
  if ((await holdsOf(tx, [eventId])).size > 0) return;
  const debtCents = await outstandingDebt(tx, event.organizationId);
  const statement: SettledStatement = {
    ...heldStatement(due.cents, first.statement.rate, debtCents),
    refundedCents: 0,
    released: due.kind,
  };
  const { netCents: cents } = statement;
  const payoutId = newId();
  const seq = Math.max(...payouts.map((payout) => payout.seq)) + 1;
  const { accountId, sendAfter } = first;
  const payout = { eventId, id: payoutId, seq, cents, statement, accountId, sendAfter, requestedAt: event.now };
  if (!(await insertPayout(tx, payout))) throw new Error(`payout ${seq} of event ${eventId} already exists`);
  await markReservePaid(tx, ref, payoutId);
  if (cents === 0) await completePayout(tx, { eventId, payoutId }, null);
  else await enqueue(tx, 'send-payout', { eventId, payoutId });
}

/** What the ledger owes for the event, minus what its unpaid payouts will take, plus claimed reversals. */
export async function owedOfEvent(
  tx: Db,
  eventId: string,
  payouts: Awaited<ReturnType<typeof payoutRows>>,
): Promise<number> {
  const { payableCents } = await readEventBalances(tx, eventId);
  const unpaid = payouts.filter(({ state }) => state !== 'paid');
  const comingBackCents = await claimedCents(tx, eventId);
  return unpaid.reduce((owed, { statement }) => owed - takenCents(statement), payableCents + comingBackCents);
}

/** What a payout takes from what is owed for its event. */
const takenCents = ({
  netCents,
  ticketFeesCents,
  processingFeeCents,
  refundCostsCents = 0,
  debtDeductedCents,
}: SettledStatement) => netCents + ticketFeesCents + processingFeeCents + refundCostsCents + debtDeductedCents;

export async function claimDueReserves({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (const ref of await dueReserves(db, BATCH_SIZE)) {
    try {
      await inTransaction(db, (tx) => claimReserve({ log }, tx, ref));
    } catch (error) {
      // One failing event must not block the others.
      log.warn({ err: error, ...ref }, 'could not pay what was held back');
    }
  }
}

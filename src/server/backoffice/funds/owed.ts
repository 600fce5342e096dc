/** What is owed for each event: by the ledger, minus the fees of payouts to come and what banks hold while they decide disputes. */

import { payoutRows } from '#server/payments/payouts/payouts.sql.ts';
import { statementsBeforeDebt } from '#server/payments/payouts/settled-statement.ts';
import type { Db } from '#server/platform/database.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';
import { type AtBanks, atBanks, type EventWithMoney } from './funds.sql.ts';

export interface Owed {
  organizerCents: number;
  /** The organizer gets it if the disputes are won. */
  onHoldCents: number;
  /** What buyers get back that the ledger doesn't owe them yet. */
  buyersCents: number;
}

const NOTHING: AtBanks = { soldCents: 0, refundingCents: 0, deductedCents: 0, paidOutCents: 0 };

export async function owedForEvents(
  db: Db,
  events: readonly EventWithMoney[],
): Promise<(event: EventWithMoney) => Owed> {
  const ids = events.map(({ id }) => id);
  const payouts = Map.groupBy(await payoutRows(db, ids), ({ eventId }) => eventId);
  const statementOf = await statementsBeforeDebt(db, events);
  const held = await atBanks(db, ids);

  return (event) => {
    const { payableCents } = event;
    const own = payouts.get(event.id) ?? [];
    const { soldCents, refundingCents, deductedCents, paidOutCents } = held.get(event.id) ?? NOTHING;
    if (own.length > 0) {
      const fees = own
        .filter(({ state }) => state !== 'paid')
        .reduce((sum, { statement }) => sum + feesOf(statement), 0);
      return {
        organizerCents: atLeast0(payableCents - fees - paidOutCents),
        onHoldCents: paidOutCents,
        buyersCents: 0,
      };
    }
    // Each buyer of a cancelled event gets the price back.
    if (event.cancelledAt !== null) {
      const disputedCents = soldCents + refundingCents - deductedCents;
      return { organizerCents: 0, onHoldCents: 0, buyersCents: atLeast0(payableCents - disputedCents) };
    }
    const live = statementOf(event);
    const onHoldCents = live.onHoldCents - deductedCents;
    const sold = live.grossCents - live.deductedCents + onHoldCents;
    return {
      organizerCents: atLeast0(live.netCents),
      onHoldCents,
      buyersCents: atLeast0(payableCents - sold - refundingCents),
    };
  };
}

const feesOf = ({ ticketFeesCents, processingFeeCents, refundCostsCents = 0 }: SettledStatement) =>
  ticketFeesCents + processingFeeCents + refundCostsCents;

const atLeast0 = (cents: number) => Math.max(0, cents);

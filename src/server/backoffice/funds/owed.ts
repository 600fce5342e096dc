/** What is owed for each event: by the ledger, minus the fees that its first payout will deduct. */

import { payoutRows } from '#server/payments/payouts/payouts.sql.ts';
import { statementsBeforeDebt } from '#server/payments/payouts/settled-statement.ts';
import type { Db } from '#server/platform/database.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';
import type { EventWithMoney } from './funds.sql.ts';

export interface Owed {
  organizerCents: number;
  /** Disputed payments, which the organizer gets if the disputes are won. */
  onHoldCents: number;
  /** Refunds that the ledger doesn't have yet. */
  buyersCents: number;
  next: 'payout' | 'requested' | 'held-back' | 'refund';
}

export async function owedForEvents(
  db: Db,
  events: readonly EventWithMoney[],
): Promise<(event: EventWithMoney) => Owed> {
  const payouts = await payoutRows(
    db,
    events.map(({ id }) => id),
  );
  const firstPayouts = new Map(payouts.toReversed().map((payout) => [payout.eventId, payout]));
  const statementOf = await statementsBeforeDebt(db, events);

  return (event) => {
    const { payableCents, cancelledAt } = event;
    const live = statementOf(event);
    const onHoldCents = live.onHoldCents;
    // A payout takes the fees. After it, only what it left out remains.
    const payout = firstPayouts.get(event.id);
    if (payout?.state === 'paid')
      return { organizerCents: atLeast0(payableCents - onHoldCents), onHoldCents, buyersCents: 0, next: 'held-back' };
    if (payout) return { organizerCents: dueOf(payout.statement), onHoldCents, buyersCents: 0, next: 'requested' };
    // Each buyer of a cancelled event gets the price back.
    if (cancelledAt !== null) return { organizerCents: 0, onHoldCents: 0, buyersCents: payableCents, next: 'refund' };

    const { grossCents, deductedCents } = live;
    const underWay = payableCents - (grossCents + onHoldCents - deductedCents);
    return { organizerCents: dueOf(live), onHoldCents, buyersCents: atLeast0(underWay), next: 'payout' };
  };
}

/** Before debt, and with what is sent later. */
const dueOf = ({ netCents, debtDeductedCents, held = [] }: SettledStatement) =>
  atLeast0(held.reduce((due, { cents }) => due + cents, netCents + debtDeductedCents));

const atLeast0 = (cents: number) => Math.max(0, cents);

import { payoutStatement } from '#domain/payout-statement.ts';
import type { Db } from '#server/database.ts';
import type { SettledStatement } from '#server/schema.ts';
import { refundedCents, soldAtPrices } from './payouts.sql.ts';

interface Billed {
  id: string;
  processingFeeWaived: boolean;
}

/** What each event would be paid as of now: the one computation for the estimate on the profile and for the payout. */
export async function settledStatements(
  db: Db,
  events: readonly Billed[],
): Promise<(event: Billed) => SettledStatement> {
  const ids = events.map((event) => event.id);
  const sold = await soldAtPrices(db, ids);
  const refunded = await refundedCents(db, ids);

  return ({ id, processingFeeWaived }) => {
    const prices = sold
      .filter((row) => row.eventId === id)
      .flatMap(({ priceCents, tickets }) => Array<number>(tickets).fill(priceCents));
    const refundsOfEvent = refunded.find((row) => row.eventId === id);
    return { ...payoutStatement(prices, processingFeeWaived), refundedCents: refundsOfEvent?.cents ?? 0 };
  };
}

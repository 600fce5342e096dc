/**
 * Matches the ledger's movements with Stripe's balance transactions. Reconciliation reads a balance transaction with its payment or
 * transfer and its amount, so these decide, and of several equal ones the order.
 */
import type { Movement, StripeMovement } from './journal.sql.ts';

interface Matches {
  /** Stripe's balance transaction by the ledger's transaction. */
  stripeIds: ReadonlyMap<string, string>;
  /** Balance transactions without a movement in the ledger. */
  unknown: readonly StripeMovement[];
}

/** Stripe has one balance transaction for a charge and its fee; the ledger has a transaction for each. */
const OF_CHARGE: ReadonlySet<string> = new Set(['sale', 'unfulfillable-sale', 'card-fee']);

export function matchMovements(movements: readonly Movement[], atStripe: readonly StripeMovement[]): Matches {
  const unmatched = Map.groupBy(bundlesOf(movements), ({ subject, cents }) => `${subject} ${cents}`);
  const stripeIds = new Map<string, string>();
  const unknown: StripeMovement[] = [];
  for (const movement of atStripe) {
    const bundle = unmatched.get(`${movement.subject} ${movement.cents}`)?.shift();
    if (!bundle) unknown.push(movement);
    for (const transactionId of bundle?.transactionIds ?? []) stripeIds.set(transactionId, movement.id);
  }
  return { stripeIds, unknown };
}

/** What Stripe moves at once. */
interface Bundle {
  subject: string;
  cents: number;
  transactionIds: string[];
}

function bundlesOf(movements: readonly Movement[]): Bundle[] {
  const parts = Map.groupBy(movements, ({ subject, kind, transactionId }) =>
    OF_CHARGE.has(kind) ? subject : transactionId,
  );
  return [...parts.values()].map((bundle) => ({
    subject: bundle[0]?.subject ?? '',
    cents: bundle.reduce((sum, { cents }) => sum + cents, 0),
    transactionIds: bundle.map(({ transactionId }) => transactionId),
  }));
}

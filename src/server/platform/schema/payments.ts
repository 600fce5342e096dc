import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { PayoutStatement } from '#domain/payout-statement.ts';
import type { HeldKind } from '#domain/payouts/brakes.ts';

/** A payout statement as stored, with the total refunded to buyers. */
export type SettledStatement = PayoutStatement & {
  refundedCents: number;
  /** What promo codes took off the prices of sold tickets. Absent: nothing. */
  discountsCents?: number;
  /** Parts that are sent later, of an event's first payout. `netCents` is what is sent without them. */
  held?: readonly { kind: HeldKind; cents: number; until: string }[];
  /** What this additional payout pays, if it was held back. */
  released?: HeldKind;
};

export interface PaymentsTables {
  /** Of the database. Until the last one is reconciled, no money leaves. */
  restores: { id: GeneratedAlways<number>; restoredAt: Date; reconciledAt: Generated<Date | null> };
  refunds: {
    eventId: string;
    id: string;
    orderId: string;
    ticketId: string | null;
    cents: number;
    reason: 'requested' | 'event-cancelled' | 'unfulfillable-order' | 'external' | 'withdrawn' | 'organizer';
    state: Generated<'claimed' | 'sent' | 'refused' | 'restored' | 'failed'>;
    attempt: Generated<number>;
    stripeRefundId: string | null;
    failureReason: string | null;
    linkHash: Buffer | null;
    /** The first refund of those that a member made together. */
    actionId: string | null;
    /** Why, in the member's words. */
    note: string | null;
    createdAt: Date;
    sendAfter: Date;
    sendingAt: Date | null;
    attemptedAt: Date | null;
    keySince: Date | null;
    sentAt: Date | null;
    movedAt: Date | null;
    settledAt: Date | null;
    failedAt: Date | null;
    endedAt: Date | null;
  };
  disputes: {
    eventId: string;
    id: string;
    orderId: string;
    stripeDisputeId: string;
    cents: number;
    feeCents: Generated<number>;
    state: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
    reason: string;
    openedAt: Date;
    closedAt: Date | null;
    dueAt: Date | null;
    excludedFrom: string | null;
    returnedBy: string | null;
  };
  transferReversals: {
    eventId: string;
    id: string;
    orderId: string;
    disputeId: string | null;
    refundId: string | null;
    payoutId: string;
    grossCents: number;
    feesCents: number;
    /** Of it, taken from what the payout held back. */
    reserveCents: Generated<number>;
    /** Of what a dispute reversed: what paid a refund at Stripe, and isn't returned if the dispute is won. */
    usedCents: Generated<number>;
    state: Generated<'claimed' | 'reversed' | 'receivable' | 'from-reserve'>;
    attempt: Generated<number>;
    attemptedAt: Date | null;
    keySince: Date | null;
    stripeReversalId: string | null;
    failureReason: string | null;
    createdAt: Date;
    settledAt: Date | null;
  };
  payouts: {
    eventId: string;
    id: string;
    seq: number;
    state: Generated<'requested' | 'awaiting-funds' | 'awaiting-account' | 'paid'>;
    cents: number;
    failureReason: string | null;
    statement: ColumnType<SettledStatement, string, never>;
    accountId: string;
    attempt: Generated<number>;
    attemptedAt: Date | null;
    keySince: Date | null;
    transferId: string | null;
    requestedAt: Date;
    /** Null: at once. */
    sendAfter: Date | null;
    paidAt: Date | null;
  };
  payoutReserves: {
    eventId: string;
    id: string;
    payoutId: string;
    kind: HeldKind;
    cents: number;
    /** By disputes and refunds after the payout. */
    takenCents: Generated<number>;
    dueAt: Date;
    paidBy: string | null;
  };
  payoutHolds: { eventId: string; heldAt: Date; heldBy: string; reason: string };
  webhookEvents: {
    id: string;
    type: string;
    eventId: string | null;
    orderId: string | null;
    paymentId: string | null;
    accountId: string | null;
    /** Webhook events with the same subject, such as an order, are processed together. */
    subject: string | null;
    payload: ColumnType<unknown, string, string>;
    receivedAt: Date;
    processedAt: Date | null;
  };
  balanceTransactions: {
    id: string;
    type: string;
    paymentId: string | null;
    transferId: string | null;
    netCents: number;
    createdAt: Date;
  };
  balanceTransactionCursor: { isTheOnlyRow: Generated<boolean>; until: Date; finishedAt: Date };
  reconciliationPolls: { subject: string; seen: string; polls: Generated<number>; polledAt: Date };
  discrepancies: {
    id: string;
    kind: string;
    subject: string;
    eventId: string | null;
    cents: Generated<number>;
    foundAt: Date;
    resolvedAt: Date | null;
  };
}

/** The tables after all migrations. Columns are camelCase here and snake_case in the database. */

import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { PayoutStatement } from '#domain/payout-statement.ts';
import type { TicketState } from '#domain/tickets.ts';

type Json = ColumnType<unknown, string, string>;

/** A payout statement as stored, with the total refunded to buyers. */
export type SettledStatement = PayoutStatement & { refundedCents: number };

/** Debits are positive. `processor` is our balance at the payment processor, `organizer-payable` what we owe an organizer. */
export type LedgerAccount =
  | 'processor'
  | 'organizer-payable'
  | 'card-fees'
  | 'owed-to-buyers'
  | 'platform-fees'
  | 'disputed'
  | 'dispute-costs'
  | 'receivables'
  | 'write-offs'
  | 'operator';

export type LedgerKind =
  | 'sale'
  | 'card-fee'
  | 'unfulfillable-sale'
  | 'unfulfillable-refund'
  | 'refund'
  | 'refund-moved'
  | 'refund-failed'
  | 'owed-paid'
  | 'external-refund'
  | 'external-refund-failed'
  | 'dispute-opened'
  | 'dispute-won'
  | 'dispute-lost'
  | 'transfer-reversal'
  | 'write-off'
  | 'payout';

/** A row of `tickets_of_order`. */
export interface NumberedTicket {
  ticketId: string;
  position: number;
  orderSize: number;
}

export interface Schema {
  businessClock: { isTheOnlyRow: Generated<boolean>; offsetSeconds: Generated<number> };
  users: {
    id: string;
    email: string;
    passwordHash: string;
    emailVerifiedAt: Date | null;
    isAdmin: Generated<boolean>;
    firstName: string | null;
    lastName: string | null;
    /** `YYYY-MM-DD`: a date of birth has no time zone. */
    dateOfBirth: string | null;
    phoneNumber: string | null;
    organizationName: string | null;
    organizationBio: string | null;
    organizationType: 'individual' | 'company' | null;
    taxIdSealed: Buffer | null;
    taxIdLast4: string | null;
    tokenCount: Generated<number>;
    feeWaivers: Generated<number>;
    createdAt: Date;
    /** Set when the date of birth is deleted. */
    adultConfirmedAt: Date | null;
    erasedAt: Date | null;
  };
  privacyLinks: { tokenHash: Buffer; email: string; createdAt: Date; expiresAt: Date };
  auditEvents: {
    id: string;
    at: Date;
    actorId: string | null;
    action: string;
    subject: string;
    eventId: string | null;
    networkHash: string | null;
  };
  erasures: {
    id: string;
    kind: 'organizer' | 'buyer';
    addressHash: string;
    accountHash: string | null;
    erasedAt: Date;
  };
  sessions: {
    id: string;
    userId: string;
    bindingHash: Buffer | null;
    createdAt: Date;
    lastSeenAt: Date;
    expiresAt: Date;
  };
  emailLinks: {
    tokenHash: Buffer;
    userId: string;
    purpose: 'verify-email' | 'reset-password' | 'change-email' | 'undo-email-change';
    email: string;
    createdAt: Date;
    expiresAt: Date;
    usedAt: Date | null;
  };
  payoutAccounts: {
    userId: string;
    email: string;
    organizationName: string;
    organizationType: 'individual' | 'company';
    accountId: string | null;
    isActive: Generated<boolean>;
    createdAt: Date;
    readAt: Date;
  };
  rateLimits: { key: string; points: Generated<number>; expire: number | null };
  events: {
    id: string;
    recordId: string;
    organizerId: string;
    title: string;
    description: string;
    street: string;
    city: string;
    state: string;
    postalCode: string;
    timezone: string;
    startsAt: Date;
    endsAt: Date;
    announcedEndsAt: Date | null;
    /** The latest end announced since the first sale. Refund and payout windows count from it. */
    latestEndsAt: GeneratedAlways<Date>;
    participants: string;
    latitude: number;
    longitude: number;
    attendantCode: string;
    attendantCodeVersion: Generated<number>;
    processingFeeWaived: Generated<boolean>;
    cancelledAt: Date | null;
    createdAt: Date;
    salesStartAt: Date | null;
    /** Null: no waiting room. */
    buyersPerMinute: number | null;
  };
  waitingRooms: {
    eventId: string;
    lastPass: Generated<number>;
    drawSize: number | null;
    calledBefore: Generated<number>;
    since: Date;
    perMinute: number;
    earlierRates: ColumnType<{ before: number; since: string; perMinute: number }[], string | undefined, string>;
  };
  ticketTypes: {
    eventId: string;
    id: string;
    position: number;
    name: string;
    description: string;
    priceCents: number;
    quantity: number;
    reserved: Generated<number>;
    available: GeneratedAlways<number>;
    removedAt: Date | null;
  };
  eventChanges: {
    eventId: string;
    id: string;
    street: string;
    city: string;
    state: string;
    postalCode: string;
    timezone: string;
    startsAt: Date;
    endsAt: Date;
    changedAt: Date;
  };
  eventPhotos: { eventId: string; id: string; position: number; fileName: string; createdAt: Date };
  checkoutRate: { isTheOnlyRow: Generated<boolean>; tokens: Generated<number>; countedAt: Generated<Date> };
  checkoutQueue: {
    eventId: string;
    orderId: string;
    position: GeneratedAlways<number>;
    notBefore: Generated<Date>;
    attempt: Generated<number>;
  };
  orders: {
    eventId: string;
    id: string;
    cartId: Generated<string | null>;
    state: 'reserved' | 'paid' | 'expired' | 'unfulfillable' | 'needs-review';
    totalCents: number;
    receivedCents: number | null;
    reviewReason: string | null;
    reservationExpiresAt: Date;
    sessionId: string | null;
    sessionUrl: string | null;
    paymentId: string | null;
    buyerEmail: string | null;
    createdAt: Date;
    paidAt: Date | null;
    endAttemptedAt: Date | null;
  };
  orderLines: {
    eventId: string;
    orderId: string;
    id: Generated<string>;
    ticketTypeId: string;
    /** Position in the buyer's cart, from 1. */
    position: number;
    ticketName: string;
    listPriceCents: number;
    discountCents: Generated<number>;
    /** What the buyer pays for one ticket. */
    unitPriceCents: number;
    quantity: number;
    source: Generated<'list' | 'promo' | 'named' | 'comp' | 'door'>;
  };
  tickets: {
    eventId: string;
    id: string;
    orderId: string;
    orderLineId: string;
    ticketTypeId: string;
    confirmationNumber: string;
    ticketName: string;
    priceCents: number;
    buyerEmail: string;
    state: Generated<TicketState>;
    scannedAt: Date | null;
    scannedBy: string | null;
    scanId: string | null;
    disputedAt: Date | null;
    issuedAt: Date;
  };
  checkInDevices: {
    eventId: string;
    id: string;
    name: string;
    enteredAt: Date;
    endsAt: Date | null;
    seenAt: Date;
    pending: Generated<number>;
    removedAt: Date | null;
  };
  offlineScans: {
    eventId: string;
    id: string;
    deviceId: string;
    ticketId: string | null;
    scannedAt: Date;
    receivedAt: Date;
    result: 'first' | 'again' | 'double' | 'refunded' | 'cancelled' | 'disputed' | 'unknown';
  };
  /** A view: the rolled-up totals plus the rows not yet rolled up. */
  ticketTotalsNow: {
    eventId: string;
    ticketTypeId: string;
    priceCents: number;
    isDisputed: boolean;
    issued: number;
    sold: number;
    scanned: number;
    voided: number;
    changes: number;
  };
  refunds: {
    eventId: string;
    id: string;
    orderId: string;
    ticketId: string | null;
    cents: number;
    reason: 'requested' | 'event-cancelled' | 'unfulfillable-order' | 'external';
    state: Generated<'claimed' | 'sent' | 'refused' | 'restored' | 'failed'>;
    attempt: Generated<number>;
    stripeRefundId: string | null;
    failureReason: string | null;
    linkHash: Buffer | null;
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
    state: Generated<'claimed' | 'reversed' | 'receivable'>;
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
    paidAt: Date | null;
  };
  affiliateCodes: {
    code: string;
    ownerId: string;
    createdAt: Date;
    redeemedBy: string | null;
    eventId: string | null;
    redeemedAt: Date | null;
    rewardedAt: Date | null;
  };
  webhookEvents: {
    id: string;
    type: string;
    eventId: string | null;
    orderId: string | null;
    paymentId: string | null;
    accountId: string | null;
    /** Webhook events with the same subject, such as an order, are processed together. */
    subject: string | null;
    payload: Json;
    receivedAt: Date;
    processedAt: Date | null;
  };
  emailOutbox: {
    id: string;
    kind: string;
    subjectId: string;
    version: Generated<number>;
    toAddress: string;
    params: Json;
    createdAt: Date;
    sentAt: Date | null;
    accountId: string | null;
  };
  inboxMessages: { id: string; messageId: string; toAddress: string; raw: Buffer; receivedAt: Date };
  ledgerEntries: {
    eventId: string;
    transactionId: string;
    account: LedgerAccount;
    cents: number;
    kind: LedgerKind;
    subjectId: string;
    createdAt: Date;
  };
  workerHeartbeats: { id: string; seenAt: Date };
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
    description: string;
    cents: Generated<number>;
    foundAt: Date;
    resolvedAt: Date | null;
  };
  operatorActions: {
    id: string;
    operatorId: string;
    action: 'retry' | 'refund-order' | 'paid-another-way' | 'write-off';
    kind: string;
    subject: string;
    eventId: string | null;
    cents: number;
    note: string;
    at: Date;
  };
}

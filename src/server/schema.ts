/** The tables as the migrations leave them. Columns are camelCase here and snake_case in the database. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { PayoutStatement } from '#domain/payout-statement.ts';

type Json = ColumnType<unknown, string, string>;

/** A payout's statement as it is kept: what buyers got back stands beside it. */
export type SettledStatement = PayoutStatement & { refundedCents: number };

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
    /** `YYYY-MM-DD`: a birthday is a date, not an instant. */
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
  tries: { key: string; points: Generated<number>; expire: number | null };
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
    keptEndsAt: Date | null;
    /** The later of the two ends: what the windows of refunds and payouts are counted from. */
    latestEndsAt: GeneratedAlways<Date>;
    participants: string;
    latitude: number;
    longitude: number;
    attendantCode: string;
    attendantCodeVersion: Generated<number>;
    processingFeeWaived: Generated<boolean>;
    cancelledAt: Date | null;
    createdAt: Date;
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
  orders: {
    eventId: string;
    id: string;
    state: 'held' | 'paid' | 'expired' | 'unfillable';
    totalCents: number;
    holdExpiresAt: Date;
    sessionId: string | null;
    sessionUrl: string | null;
    paymentId: string | null;
    buyerEmail: string | null;
    createdAt: Date;
    paidAt: Date | null;
  };
  orderLines: {
    eventId: string;
    orderId: string;
    ticketTypeId: string;
    ticketName: string;
    unitPriceCents: number;
    quantity: number;
  };
  tickets: {
    eventId: string;
    id: string;
    orderId: string;
    ticketTypeId: string;
    confirmationNumber: string;
    ticketName: string;
    priceCents: number;
    buyerEmail: string;
    state: Generated<'valid' | 'scanned' | 'refunding' | 'refunded' | 'void'>;
    scannedAt: Date | null;
    scannedBy: string | null;
    issuedAt: Date;
  };
  refunds: {
    eventId: string;
    id: string;
    orderId: string;
    ticketId: string | null;
    cents: number;
    reason: 'requested' | 'event-cancelled' | 'unfillable-order';
    state: Generated<'claimed' | 'sent' | 'refused'>;
    providerRefundId: string | null;
    refusal: string | null;
    createdAt: Date;
    sentAt: Date | null;
  };
  payouts: {
    eventId: string;
    id: string;
    seq: number;
    state: Generated<'requested' | 'awaiting-funds' | 'paid'>;
    cents: number;
    statement: ColumnType<SettledStatement, string, never>;
    accountId: string;
    attempt: Generated<number>;
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
  webhookInbox: {
    id: string;
    type: string;
    eventId: string | null;
    orderId: string | null;
    payload: Json;
    receivedAt: Date;
    processedAt: Date | null;
  };
  mailOutbox: {
    id: string;
    kind: string;
    subjectId: string;
    version: Generated<number>;
    toAddress: string;
    params: Json;
    createdAt: Date;
    sentAt: Date | null;
  };
  inboxMessages: { id: string; messageId: string; toAddress: string; raw: Buffer; receivedAt: Date };
  ledgerEntries: {
    eventId: string;
    transactionId: string;
    account: 'processor' | 'organizer-payable' | 'card-fees' | 'owed-to-buyers' | 'platform-fees';
    cents: number;
    kind: 'sale' | 'card-fee' | 'unfillable-sale' | 'unfillable-refund' | 'refund' | 'payout';
    subjectId: string;
    createdAt: Date;
  };
}

import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { EarlyCheckInOutcome } from '#domain/early-check-in.ts';
import type { OrderState } from '#domain/payment.ts';
import type { Answers } from '#domain/sales/guest-form.ts';
import type { PromoKind } from '#domain/sales/promo-codes.ts';
import type { PassKind } from '#domain/sales/wallet-passes.ts';
import type { TicketState } from '#domain/tickets.ts';

/** A row of `tickets_of_order`. */
export interface NumberedTicket {
  ticketId: string;
  position: number;
  orderSize: number;
}

/** Where the price of a line comes from. */
export type OrderLineSource = 'list' | 'promo' | 'named' | 'comp' | 'door';

export interface OrdersTables {
  checkoutRate: {
    isTheOnlyRow: Generated<boolean>;
    tokens: Generated<number>;
    countedAt: Generated<Date>;
    lastEvent: string | null;
  };
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
    state: OrderState;
    totalCents: number;
    receivedCents: number | null;
    reviewReason: string | null;
    reservationExpiresAt: Date;
    sessionId: string | null;
    sessionUrl: string | null;
    paymentId: string | null;
    buyerEmail: string | null;
    /** As Stripe reported it with the payment. */
    buyerName: Generated<string | null>;
    createdAt: Date;
    paidAt: Date | null;
    endAttemptedAt: Date | null;
    /** Only while reserved. */
    networkHash: number | null;
    /** A keyed hash of the card that paid. */
    cardHash: Generated<Buffer | null>;
    /** What its buyer is asked, if anything. */
    formVersion: number | null;
    /** Of the event's page that it was made on; null from before there were versions. */
    pageVersion: number | null;
    /** When the buyer answered it. */
    detailsAt: Date | null;
    /** Set for comps only. */
    compBatchId: Generated<string | null>;
    /** How often its address was corrected. */
    linkVersion: Generated<number>;
    /** When reconciliation rebuilt it, after the database had lost it. */
    rebuiltAt: Generated<Date | null>;
    /** The tracking link that brought the buyer. */
    linkId: Generated<string | null>;
  };
  /** Names and answers. Position 0 has those of the order, the others those of its tickets. */
  orderGuests: {
    eventId: string;
    orderId: string;
    position: number;
    name: string | null;
    answers: ColumnType<Answers, string, string>;
    /** Of the position, once it is issued. */
    ticketId: Generated<string | null>;
    /** What the organizer wants the door to know. */
    doorNote: string | null;
  };
  /** Guests that a member added together at no charge. */
  compBatches: {
    eventId: string;
    id: string;
    requestHash: Buffer;
    isImport: boolean;
    tickets: number;
    createdAt: Date;
    /** When the last of its tickets was issued. */
    completedAt: Date | null;
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
    source: Generated<OrderLineSource>;
    promoCodeId: Generated<string | null>;
  };
  /** Of free orders. The emailed code and link are derived from `id`. */
  emailProofs: {
    eventId: string;
    orderId: string;
    id: string;
    email: string;
    /** Since `id` was made. */
    wrongCodes: Generated<number>;
    emailsSent: number;
    sentAt: Date;
    provedAt: Date | null;
  };
  promoCodes: {
    eventId: string;
    id: string;
    /** As its buyers see it. */
    code: string;
    /** What they may type for it. */
    key: string;
    kind: PromoKind;
    value: number;
    /** All types that it can apply to. Otherwise those in `promoCodeTypes`. */
    isForAll: boolean;
    maxUses: number | null;
    /** Tickets that have it. */
    uses: Generated<number>;
    maxPerOrder: number | null;
    validFrom: Date | null;
    validUntil: Date | null;
    version: Generated<number>;
    createdAt: Date;
    endedAt: Date | null;
  };
  promoCodeTypes: { eventId: string; promoCodeId: string; ticketTypeId: string };
  tickets: {
    eventId: string;
    id: string;
    orderId: string;
    orderLineId: string;
    ticketTypeId: string;
    confirmationNumber: string;
    ticketName: string;
    priceCents: number;
    /** Of its holder, once it was transferred. Null for a guest whom a member added by name. */
    buyerEmail: string | null;
    state: Generated<TicketState>;
    scannedAt: Date | null;
    scannedBy: string | null;
    scanId: string | null;
    disputedAt: Date | null;
    issuedAt: Date;
    transferredCount: Generated<number>;
  };
  /** That transferred tickets had before. */
  formerNumbers: { eventId: string; number: string; ticketId: string; replacedAt: Date };
  /** Handed out for the wallets of phones. */
  walletPasses: {
    eventId: string;
    kind: PassKind;
    passId: string;
    ticketId: string | null;
    transferredCount: Generated<number>;
    fingerprint: string;
    handedOutAt: Date;
    updatedAt: Date;
    sendAt: Date | null;
    attempts: Generated<number>;
    sentOn: string | null;
    sends: Generated<number>;
  };
  walletDevices: {
    eventId: string;
    kind: Generated<'apple'>;
    passId: string;
    deviceId: string;
    pushToken: string;
    registeredAt: Date;
    notifiedAt: Date;
  };
  undoneCheckIns: { eventId: string; ticketId: string; scannedAt: Date; undoneAt: Date };
  earlyCheckIns: {
    eventId: string;
    id: string;
    ticketId: string;
    scannedAt: Date;
    recordedAt: Date;
    /** When the buyer said that they weren't there. */
    objectedAt: Date | null;
    outcome: EarlyCheckInOutcome | null;
    endedAt: Date | null;
    /** When an operator reviewed the event's early check-ins. */
    reviewedAt: Date | null;
  };
}

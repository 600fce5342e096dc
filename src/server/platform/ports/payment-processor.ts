/** The payment processor. Stripe's own vocabulary stays in the adapter. */
export interface PaymentProcessor {
  /** Opens a hosted payment page. Idempotent per order and attempt. */
  openCheckout(order: CheckoutOrder): Promise<CheckoutSession>;
  readCheckout(sessionId: string): Promise<CheckoutSession | null>;
  /** What a session sells. Null if one of its lines isn't ours. */
  readCheckoutLines(sessionId: string): Promise<readonly CheckoutLine[] | null>;
  /** Expires a session. Returns its final state, which may be `complete`; `null` if there is no such session. */
  closeCheckout(sessionId: string): Promise<CheckoutSession | null>;
  /** Idempotent per `refundId` and attempt. */
  refund(refund: ProcessorRefund): Promise<RefundAnswer>;
  /** Current fee, refunds and disputes of a payment; `null` if there is no such payment. */
  readPayment(paymentId: string): Promise<PaymentReading | null>;
  /** Uploads the document and submits the evidence. Does nothing if Stripe has evidence for the dispute already. */
  sendEvidence(evidence: DisputeEvidence): Promise<EvidenceAnswer>;
  /** Verifies the signature over the raw bytes; `null` if it is invalid. */
  readWebhookEvent(rawBody: Buffer, signature: string | undefined): WebhookEvent | null;
  /** Classifies a stored webhook event. Enough to skip an irrelevant one, not enough to act on. */
  webhookSubject(payload: unknown): WebhookSubject;
}

export interface CheckoutOrder {
  orderId: string;
  eventId: string;
  eventTitle: string;
  /** Starts at 1 and increases with each change to the request, because an idempotency key requires an identical body. */
  attempt?: number;
  /** Expiry of the session, at least 30 minutes ahead. */
  expiresAt: Date;
  lines: readonly (CheckoutLine & { ticketName: string })[];
}

export interface CheckoutLine {
  ticketTypeId: string;
  listPriceCents: number;
  unitPriceCents: number;
  quantity: number;
  promoCodeId: string | null;
}

export interface CheckoutSession {
  sessionId: string;
  /** The payment page; null once the session is no longer open. */
  url: string | null;
  /** `expired`: it can no longer be paid. Includes sessions whose delayed payment failed. */
  state: 'open' | 'complete' | 'expired';
  /** Paid, or nothing was due. A complete session is unpaid while a delayed payment is pending. */
  isPaid: boolean;
  totalCents: number;
  currency: string;
  orderId: string | null;
  eventId: string | null;
  buyerEmail: string | null;
  /** As the buyer typed it or a wallet reported it, cleaned; null without one. */
  buyerName: string | null;
  /** Refunds refer to it; null for a free order. */
  paymentId: string | null;
  /** The processor's fee; null until known. */
  feeCents: number | null;
  /** A keyed hash, the same for every payment with the card; null for other payments. */
  cardHash: Buffer | null;
}

export interface ProcessorRefund {
  refundId: string;
  paymentId: string;
  eventId: string;
  orderId: string;
  /** The refunded ticket; null for a whole order. */
  ticketId: string | null;
  amountCents: number;
  /** Starts at 1 and increases when the processor replays a stored error under the idempotency key. */
  attempt: number;
  /** An earlier call may have succeeded under another or a dropped key: check the existing refunds first. */
  maybeSent: boolean;
  /**
   * Finds a refund of ours that our books do not know, which blocks this one. Called after the processor's list was read, so
   * that refunds claimed in between are known. Null for a full refund, which the processor itself denies the second time.
   */
  findOrphaned: ((refunds: readonly ProcessorRefundState[]) => Promise<ProcessorRefundState | undefined>) | null;
}

/** A denial is final, and its text is for the operator. A pending refund counts as accepted. */
export type RefundAnswer =
  | { refund: ProcessorRefundState; denial: null }
  | { denial: { isDisputed: boolean; message: string } };

export interface ProcessorRefundState {
  stripeRefundId: string;
  /** Our id; null for a refund made in the processor's dashboard. */
  refundId: string | null;
  /** Null for a whole order, or a refund made in the processor's dashboard. */
  ticketId: string | null;
  cents: number;
  /** A refund that `succeeded` can still fail days later. */
  state: 'pending' | 'succeeded' | 'failed';
  /** The money has left the platform's balance. False while the refund waits for funds. */
  hasMoved: boolean;
  /** The processor's reason for the failure. */
  failure: string | null;
}

export interface ProcessorDispute {
  stripeDisputeId: string;
  cents: number;
  feeCents: number;
  /** `inquiry`: no money has moved. `closed`: an inquiry that ended without a dispute. */
  state: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
  /** The processor's reason, such as `fraudulent`. */
  reason: string;
  /** Until when the bank accepts evidence. */
  dueAt?: Date | null;
}

export interface DisputeEvidence {
  stripeDisputeId: string;
  pdf: Uint8Array;
  texts: {
    buyerEmail: string | null;
    product: string;
    serviceDate: string;
    policy: string;
    scans: string;
    other: string;
  };
}

/** A denial is final, and its text is for the operator. */
export interface EvidenceAnswer {
  denial: string | null;
}

export interface PaymentReading {
  paymentId: string;
  /** The order it pays for, if it is one of ours. */
  order: { eventId: string; orderId: string } | null;
  chargedCents: number;
  feeCents: number | null;
  /** Oldest first. */
  refunds: readonly ProcessorRefundState[];
  disputes: readonly ProcessorDispute[];
}

/** A webhook event. It only triggers work: its handler reads the current object from the processor. */
export interface WebhookEvent {
  webhookEventId: string;
  type: string;
  /** The order in the event's metadata, if any. */
  order: { eventId: string; orderId: string } | null;
  /** The payment of the charge, refund or dispute. */
  paymentId: string | null;
  /** The organizer's connected account. */
  accountId: string | null;
  payload: unknown;
}

/** The subject of a webhook event. Events can be late or out of order, so handlers read the current object. */
export type WebhookSubject =
  /** The product ignores it. */
  | { about: 'nothing' }
  /** A checkout was completed or paid. */
  | { about: 'sale' }
  /** A checkout can no longer be paid. */
  | { about: 'end' }
  /** The processor's fee may be known now. */
  | { about: 'fee' }
  | { about: 'refund'; stripeRefundId: string; refundId: string | null; state: ProcessorRefundState['state'] }
  /** Total refunded of a payment so far. */
  | { about: 'refunded'; cents: number }
  | { about: 'dispute' }
  | { about: 'account' }
  /** Funds have become available for payouts. */
  | { about: 'balance' };

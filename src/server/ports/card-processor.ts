/** What the product needs from a card company. Stripe's vocabulary stops at the adapter. */
export interface CardProcessor {
  /** Opens the hosted payment page. Safe to repeat: the order's id is the key, and one order has one session. */
  openCheckout(order: CheckoutOrder): Promise<CheckoutSession>;
  readCheckout(sessionId: string): Promise<CheckoutSession | null>;
  /** Ends a session so that it can no longer be paid. Answers the state it was really left in, which may be `complete`. */
  closeCheckout(sessionId: string): Promise<CheckoutSession>;
  /** Gives money back. Safe to repeat: the same `refundId` never moves money twice. */
  refund(refund: CardRefund): Promise<RefundAnswer>;
  /** Verifies the signature over the raw bytes. `null` when it was not the card company who wrote this. */
  readNotice(rawBody: Buffer, signature: string | undefined): ProviderNotice | null;
}

export interface CheckoutOrder {
  orderId: string;
  eventId: string;
  eventTitle: string;
  /** When the session ends by itself, at least 30 minutes ahead. */
  expiresAt: Date;
  lines: readonly { ticketTypeId: string; ticketName: string; unitPriceCents: number; quantity: number }[];
}

export interface CheckoutSession {
  sessionId: string;
  /** Where the buyer pays; null once the session is no longer open. */
  url: string | null;
  state: 'open' | 'complete' | 'expired';
  /** Money has arrived, or none was due. A complete session can still be unpaid. */
  isPaid: boolean;
  totalCents: number;
  currency: string;
  orderId: string | null;
  eventId: string | null;
  buyerEmail: string | null;
  /** The payment that a refund goes back to; null for a free order. */
  paymentId: string | null;
  /** What the card company kept; null until it says. */
  feeCents: number | null;
}

export interface CardRefund {
  refundId: string;
  paymentId: string;
  eventId: string;
  orderId: string;
  amountCents: number;
  /** An earlier call may have worked so long ago that its key is forgotten: look for its refund first. */
  maybeSent: boolean;
}

/** A refusal is for good; its words are for the operator. A refund that the card company still works on was accepted. */
export type RefundAnswer =
  | { providerRefundId: string; refusal: null }
  | { refusal: { isDisputed: boolean; words: string } };

/** A message from the card company. Only a hint: the receiver reads the object itself. */
export interface ProviderNotice {
  noticeId: string;
  type: string;
  /** The order that it is about, when it names one. */
  order: { eventId: string; orderId: string } | null;
  payload: unknown;
}

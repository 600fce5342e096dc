/** What the product needs from a card company. Stripe's vocabulary stops at the adapter. */
export interface PaymentProcessor {
  /** Opens the hosted payment page. Safe to repeat: the order's id is the key, and one order has one session. */
  openCheckout(order: CheckoutOrder): Promise<CheckoutSession>;
  readCheckout(sessionId: string): Promise<CheckoutSession | null>;
  /**
   * Ends a session so that it can no longer be paid. Answers the state it was really left in, which may be `complete`;
   * `null` when there is no such session.
   */
  closeCheckout(sessionId: string): Promise<CheckoutSession | null>;
  /** Gives money back. Safe to repeat: the same `refundId` and attempt never move money twice. */
  refund(refund: ProcessorRefund): Promise<RefundAnswer>;
  /** All that became of a payment since: its fee, its refunds, its disputes. `null` when there is no such payment. */
  readPayment(paymentId: string): Promise<PaymentReading | null>;
  /** Verifies the signature over the raw bytes. `null` when it was not the card company who wrote this. */
  readNotice(rawBody: Buffer, signature: string | undefined): WebhookEvent | null;
  /** What a stored notice says of itself: enough to see that it is no news, never enough to act on. */
  hintOf(payload: unknown): WebhookSubject;
}

export interface CheckoutOrder {
  orderId: string;
  eventId: string;
  eventTitle: string;
  /** 1 at first, and one more when another end is asked for: the same key must carry the same body. */
  attempt?: number;
  /** When the session ends by itself, at least 30 minutes ahead. */
  expiresAt: Date;
  lines: readonly { ticketTypeId: string; ticketName: string; unitPriceCents: number; quantity: number }[];
}

export interface CheckoutSession {
  sessionId: string;
  /** Where the buyer pays; null once the session is no longer open. */
  url: string | null;
  /** `expired`: it can never be paid any more, also because a payment that took days has failed. */
  state: 'open' | 'complete' | 'expired';
  /** Money has arrived, or none was due. A complete session can still be unpaid while the payment takes days. */
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

export interface ProcessorRefund {
  refundId: string;
  paymentId: string;
  eventId: string;
  orderId: string;
  /** The ticket that is given back; null where it is a whole order. */
  ticketId: string | null;
  amountCents: number;
  /** 1 at first, and one more when the card company repeats a stored error under the key. */
  attempt: number;
  /** An earlier call may have worked under another key, or under one that is forgotten: look for its refund first. */
  maybeSent: boolean;
  /**
   * Where it is a part of the payment: whether one of the payment's refunds that we asked for stands in its way. Asked
   * after the card company's list was read, so that one that was claimed meanwhile is in our books. Of the whole it
   * refuses a second one by itself.
   */
  findForgotten: ((refunds: readonly ProcessorRefundState[]) => Promise<ProcessorRefundState | undefined>) | null;
}

/** A refusal is for good; its words are for the operator. A refund that the card company still works on was accepted. */
export type RefundAnswer =
  | { refund: ProcessorRefundState; refusal: null }
  | { refusal: { isDisputed: boolean; words: string } };

export interface ProcessorRefundState {
  providerRefundId: string;
  /** Ours, when the product asked for it; null for one that was made at the card company itself. */
  refundId: string | null;
  /** The ticket that it was for, when the product asked for it and it was for one. */
  ticketId: string | null;
  cents: number;
  /** `succeeded` is not the end: it can fail days later. */
  state: 'pending' | 'succeeded' | 'failed';
  /** The money has left the platform's balance. A refund that waits for funds has not moved yet. */
  hasMoved: boolean;
  /** Why it failed, in the card company's word. */
  failure: string | null;
}

export interface ProcessorDispute {
  providerDisputeId: string;
  cents: number;
  feeCents: number;
  /** `inquiry`: no money has moved. `closed`: an inquiry that came to nothing. */
  state: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
  /** In the card company's word, such as `fraudulent`. */
  reason: string;
}

export interface PaymentReading {
  paymentId: string;
  /** The order that it pays, when it names one of ours. */
  order: { eventId: string; orderId: string } | null;
  chargedCents: number;
  feeCents: number | null;
  /** Oldest first. */
  refunds: readonly ProcessorRefundState[];
  disputes: readonly ProcessorDispute[];
}

/** A message from the card company. Only a hint: the receiver reads the object itself. */
export interface WebhookEvent {
  noticeId: string;
  type: string;
  /** The order that it is about, when it names one. */
  order: { eventId: string; orderId: string } | null;
  /** The payment that it is about: of a charge, a refund or a dispute. */
  paymentId: string | null;
  /** The organizer's account that it is about. */
  accountId: string | null;
  payload: unknown;
}

/** Words of a notice. They may be old or out of order, so whoever acts on one reads the object anew. */
export type WebhookSubject =
  /** Nothing that the product acts on. */
  | { about: 'nothing' }
  /** A checkout was completed, or paid. */
  | { about: 'sale' }
  /** A checkout can no longer be paid. */
  | { about: 'end' }
  /** What the card company keeps of a payment may be known now. */
  | { about: 'fee' }
  | { about: 'refund'; providerRefundId: string; refundId: string | null; state: ProcessorRefundState['state'] }
  /** How much of a payment has gone back by then, in all. */
  | { about: 'refunded'; cents: number }
  | { about: 'dispute' }
  | { about: 'account' }
  /** Money that can be paid out has come in. */
  | { about: 'balance' };

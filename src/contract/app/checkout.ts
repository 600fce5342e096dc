/** Checkout: the session, the checkout queue and the confirmation. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { messageReply } from '#contract/message-reply.ts';
import { photoFocus } from '#contract/photo-details.ts';
import { CART_LINES_MAX, PROMO_TYPED_MAX } from '#domain/limits.ts';
import { changedPage } from './sales/page-changes.ts';

/** A buyer's position in the checkout queue. The tickets stay reserved meanwhile. */
const queuedCheckoutPage = z.object({
  /** Unguessable handle for polling. */
  handle: z.string(),
  /** Buyers ahead in the queue. */
  before: z.int(),
  aboutSeconds: z.int(),
  /** End of the reservation. Each poll extends it. */
  reservedUntil: z.string(),
  /** Delay before the next poll. */
  askInSeconds: z.int(),
});

/** The payment page, with `queue` the page on which the buyer waits for it, or the page of a free order. */
export const paymentPage = z.object({ id: z.string(), url: z.string(), queue: z.optional(queuedCheckoutPage) });

export type PaymentPage = z.infer<typeof paymentPage>;

/** The order costs something else than the buyer was shown, because of its promo code. Nothing is reserved. */
const quote = z.object({
  totalCents: z.int(),
  /** What the buyer reads. */
  msg: z.string(),
});

export type Quote = z.infer<typeof quote>;

/** As a buyer typed it. */
export const typedPromoCode = z.string().check(z.maxLength(PROMO_TYPED_MAX));

export const createCheckoutSession = endpoint({
  method: 'POST',
  path: '/api/public/create-checkout-session',
  access: 'public',
  input: z.object({
    eventId: z.string(),
    /** Random id from the buyer's browser: the same cart never reserves tickets twice. */
    cartId: z.optional(z.uuid()),
    /** Names and prices come from the event. `ticketId` takes precedence over the name. */
    cartItems: z
      .array(
        z.object({
          ticketId: z.optional(z.string()),
          ticketName: z.string(),
          /** Price shown to the buyer, in dollars. If given, a sale at any other price is denied. */
          ticketPrice: z.optional(z.number()),
          /** For each ticket, where buyers name the price. */
          namedPriceCents: z.optional(z.int()),
          quantity: z.int(because('quantity.not-whole')).check(z.gte(1, because('quantity.too-small'))),
        }),
      )
      .check(z.maxLength(CART_LINES_MAX, because('cart.too-long'))),
    promoCode: z.optional(typedPromoCode),
    /** What the buyer was shown and accepts. An order with a promo code that costs something else is quoted; without a code, it is denied. */
    expectedTotalCents: z.optional(z.int()),
    /** Of the event's page that the buyer sees. Without it, they take the event as it is. */
    pageVersion: z.optional(z.int()),
    /** What the address of the event's page said: the ending of a tracking link, or nothing that we know. */
    from: z.optional(z.string()),
  }),
  /** With `quote` or `changed` there is no page. */
  reply: z.extend(paymentPage, { quote: z.optional(quote), changed: z.optional(changedPage) }),
});

/** Of a queued checkout, or of a checkout page. */
export const handle = z.string().check(z.maxLength(200));

/** Polls for the payment page. Each poll extends the reservation. */
export const queuedCheckout = endpoint({
  method: 'GET',
  path: '/api/public/queued-checkout',
  access: 'public',
  input: z.object({ handle }),
  reply: paymentPage,
});

/** Leaves the queue and releases the tickets. */
export const leaveQueuedCheckout = endpoint({
  method: 'POST',
  path: '/api/public/leave-queued-checkout',
  access: 'public',
  input: z.object({ handle }),
  reply: messageReply,
});

/** The unpaid orders of this browser, newest first. Their tickets are reserved. */
export const openCheckouts = endpoint({
  method: 'GET',
  path: '/api/public/open-checkouts',
  access: 'public',
  input: z.object({}),
  reply: z.object({
    checkouts: z.array(
      z.object({
        handle: z.string(),
        eventId: z.string(),
        title: z.string(),
        timezone: z.string(),
        tickets: z.array(z.object({ ticketId: z.string(), ticketName: z.string(), quantity: z.int() })),
        reservedUntil: z.string(),
        /** Null while it waits in the checkout queue, and of a free order. */
        sessionId: z.nullable(z.string()),
        /** The payment page, the page on which the buyer waits for it, or that of a free order. */
        url: z.string(),
      }),
    ),
  }),
});

export type OpenCheckout = z.infer<(typeof openCheckouts)['reply']>['checkouts'][number];

/** Ends one of this browser's open checkouts and releases its tickets. */
export const releaseCheckout = endpoint({
  method: 'POST',
  path: '/api/public/release-checkout',
  access: 'public',
  input: z.object({ handle: z.uuid() }),
  reply: messageReply,
});

/** In the order of the questions. */
export const shownAnswers = z.array(z.object({ label: z.string(), answer: z.string() }));

export const confirmedTicket = z.object({
  ticketName: z.string(),
  confirmationNumber: z.string(),
  /** Position in the order, from 1. Refunded tickets count, so it never changes. */
  position: z.int(),
  of: z.int(),
  /** Handed out at the door; doesn't admit. */
  isAddOn: z.optional(z.boolean()),
  priceCents: z.int(),
  /** When it was checked in, or handed out. */
  scannedAt: z.optional(z.string()),
  /** The buyer's bank disputes the payment: it doesn't admit for now. */
  isDisputed: z.optional(z.boolean()),
  guestName: z.optional(z.string()),
  answers: z.optional(shownAnswers),
});

/** Shows no code. `refunding`: the refund is on its way and can still be canceled for a while. `transferred`: another person has it. */
const endedTicket = z.object({
  ticketName: z.string(),
  position: z.int(),
  of: z.int(),
  isAddOn: z.optional(z.boolean()),
  state: z.enum(['refunding', 'refunded', 'void', 'transferred']),
  priceCents: z.int(),
});

const orderDetails = z.object({
  /** Opens the order's page, and is the authorization of what its buyer can do there. */
  token: z.string(),
  street: z.string(),
  state: z.string(),
  postalCode: z.string(),
  venueName: z.optional(z.string()),
  endDate_endTime: z.string(),
  /** Null: tickets are checked in at any time. */
  checkInOpensAt: z.nullable(z.string()),
  isCancelled: z.boolean(),
  /** The start when the buyer paid, if it is another now. */
  movedFrom: z.nullable(z.string()),
  /** The address when the buyer paid, if it is another now. */
  movedFromAddress: z.nullable(z.string()),
  /** `/payment/{eventId}/changes` lists what changed since the order was made. */
  hasPageChanged: z.optional(z.boolean()),
  /** URL of the event's cover. */
  photo: z.nullable(z.string()),
  photoFocus: z.optional(photoFocus),
  /** Wallets that can save a ticket. */
  wallets: z.optional(z.array(z.enum(['apple', 'google']))),
  refundsUntil: z.string(),
  areRefundsOpen: z.boolean(),
  /** The organizer added the guest at no charge. */
  isComp: z.optional(z.boolean()),
  /** The page of a transferred ticket, for its holder: without what concerns the payer. */
  isHolder: z.optional(z.boolean()),
  /** Until when tickets can be transferred; missing if they can't. */
  transfersUntil: z.optional(z.string()),
  /** Until when the buyer may correct the address of the order; missing once it is too late. */
  addressUntil: z.optional(z.string()),
  endedTickets: z.array(endedTicket),
  paidAt: z.string(),
  lines: z.array(
    z.object({
      ticketName: z.string(),
      quantity: z.int(),
      unitPriceCents: z.int(),
      promoCode: z.nullable(z.string()),
    }),
  ),
  totalCents: z.int(),
  /** What of it is tax; missing if prices include none. */
  includedTax: z.optional(z.object({ rate: z.int(), label: z.string(), cents: z.int() })),
  /** Until when the buyer may change the names of guests; missing if the event asks for none, or can no longer be changed. */
  namesUntil: z.optional(z.string()),
  asksNames: z.optional(z.enum(['optional', 'required'])),
  /** What was asked once for the order. */
  answers: z.optional(shownAnswers),
});

export type OrderDetails = z.infer<typeof orderDetails>;

export const confirmation = z.object({
  /**
   * `confirmed`: the tickets are issued. `processing`: payment in progress, poll again. `unpaid`: the checkout is still
   * open. `expired`: not charged, tickets released. `refunded`: charged and refunded. `in-review`: the payment doesn't
   * match the order, and an operator decides.
   */
  status: z.enum(['confirmed', 'processing', 'unpaid', 'expired', 'refunded', 'in-review']),
  confirmationData: z.array(confirmedTicket),
  /** While unpaid: when the tickets are released, which can be earlier than the payment page says. */
  reservedUntil: z.optional(z.string()),
  /** Null until paid. */
  order: z.nullable(
    z.object({
      eventId: z.string(),
      title: z.string(),
      city: z.string(),
      timezone: z.string(),
      startDate_startTime: z.string(),
      email: z.string(),
      /** First name of the buyer, if Stripe reported one. */
      firstName: z.optional(z.string()),
      /** When the link expires. Saved copies of the tickets expire with it. */
      openUntil: z.string(),
    }),
  ),
  /** Missing in copies that earlier versions saved on a device, and until paid. */
  details: z.optional(orderDetails),
});

export const checkoutSession = endpoint({
  method: 'GET',
  path: '/api/public/checkout-session',
  access: 'public',
  input: z.object({ sessionId: z.string().check(z.minLength(1, because('session-id.missing')), z.maxLength(200)) }),
  reply: confirmation,
});

const orderToken = z.string().check(z.maxLength(200));

/** The same, by the link in the order's emails. */
export const readOrder = endpoint({
  method: 'GET',
  path: '/api/public/order',
  access: 'public',
  input: z.object({ token: orderToken }),
  reply: confirmation,
});

/** Emails the order's tickets again, to the same address. */
export const resendOrder = endpoint({
  method: 'POST',
  path: '/api/public/resend-order',
  access: 'public',
  input: z.object({ token: orderToken }),
  reply: messageReply,
});

/** The link in an order's emails, the checkout session that Stripe leads back with, or the link of a ticket's holder. */
export type OrderAddress = { token: string } | { sessionId: string } | { ticket: string };

export type Confirmation = z.infer<typeof confirmation>;

/** From the cart to the tickets: the checkout session and the confirmation. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { CART_LINES_MAX } from '#domain/limits.ts';

/** Tickets that are held while their buyer waits for the payment page. */
const queuedCheckoutPage = z.object({
  /** Unguessable handle for polling. */
  handle: z.string(),
  /** How many get their page before. */
  before: z.int(),
  aboutSeconds: z.int(),
  /** The reservation's end. Each poll extends it. */
  reservedUntil: z.string(),
  /** When the next question is welcome. */
  askInSeconds: z.int(),
});

/** Where the buyer pays; with `held`, where they wait until they can. */
const paymentPage = z.object({ id: z.string(), url: z.string(), queue: z.optional(queuedCheckoutPage) });

export type PaymentPage = z.infer<typeof paymentPage>;

export const createCheckoutSession = endpoint({
  method: 'POST',
  path: '/api/public/create-checkout-session',
  access: 'public',
  input: z.object({
    eventId: z.string(),
    /** Random id from the buyer's browser: the same cart never reserves tickets twice. */
    cartId: z.optional(z.uuid()),
    /** Only what and how many: names and prices come from the event. `ticketId` wins over the name. */
    cartItems: z
      .array(
        z.object({
          ticketId: z.optional(z.string()),
          ticketName: z.string(),
          /** Dollars the buyer was shown, if given: a sale at another price is refused. */
          ticketPrice: z.optional(z.number()),
          quantity: z.int('Quantity must be a whole number.').check(z.gte(1, 'Quantity must be at least 1.')),
        }),
      )
      .check(z.maxLength(CART_LINES_MAX, `A cart can have at most ${CART_LINES_MAX} lines.`)),
  }),
  reply: paymentPage,
});

const handle = z.string().check(z.maxLength(200));

/** Has the page been opened? Asking keeps the tickets queue. */
export const queuedCheckout = endpoint({
  method: 'GET',
  path: '/api/public/queued-checkout',
  access: 'public',
  input: z.object({ handle }),
  reply: paymentPage,
});

/** The buyer does not want to wait any longer: the tickets go back. */
export const leaveQueuedCheckout = endpoint({
  method: 'POST',
  path: '/api/public/leave-queued-checkout',
  access: 'public',
  input: z.object({ handle }),
  reply: z.object({ msg: z.string() }),
});

export {
  checkoutErrors,
  reservationExpired,
  reservationPaid,
  reservationReleased,
  soldOut,
  ticketPosition,
} from '#contract/messages/checkout.ts';

export const confirmedTicket = z.object({
  ticketName: z.string(),
  confirmationNumber: z.string(),
  /** Among all tickets of the order, from 1. Refunded tickets count, so a ticket keeps its position. */
  position: z.int(),
  of: z.int(),
});

export const checkoutSession = endpoint({
  method: 'GET',
  path: '/api/public/checkout-session',
  access: 'public',
  input: z.object({ sessionId: z.string().check(z.minLength(1, 'No session ID provided'), z.maxLength(200)) }),
  reply: z.object({
    /**
     * `confirmed`: the tickets are here. `processing`: paid or being paid, ask again.
     * `unpaid`: the checkout is still open. `expired`: not charged, tickets released. `refunded`: charged and given back.
     * `in-review`: paid, and not what was ordered; a person is looking at it.
     */
    status: z.enum(['confirmed', 'processing', 'unpaid', 'expired', 'refunded', 'in-review']),
    confirmationData: z.array(confirmedTicket),
    /** What the tickets are for; null until confirmed. */
    order: z.nullable(
      z.object({
        eventId: z.string(),
        title: z.string(),
        city: z.string(),
        timezone: z.string(),
        startDate_startTime: z.string(),
        email: z.string(),
        /** Instant from which this link opens nothing any more, nor should any copy of the tickets. */
        openUntil: z.string(),
      }),
    ),
  }),
});

export type Confirmation = z.infer<(typeof checkoutSession)['reply']>;

export const unknownCheckout = "We can't find an order for this link.";

export const webhookReceived = 'Received.';
export const badSignature = "The signature doesn't match.";

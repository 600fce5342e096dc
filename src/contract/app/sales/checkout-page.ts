/** The page between the cart and the payment page, of an order that asks its buyer something, and of one that costs nothing. */
import * as z from 'zod/mini';
import { handle, paymentPage } from '#contract/app/checkout.ts';
import { endpoint } from '#contract/endpoint.ts';
import { guestDetails } from '#contract/forms/guest-details.ts';
import { NAME_RULES, QUESTION_KINDS } from '#domain/sales/guest-form.ts';

const askedQuestion = z.object({
  id: z.string(),
  kind: z.enum(QUESTION_KINDS),
  label: z.string(),
  help: z.string(),
  options: z.array(z.string()),
  isRequired: z.boolean(),
});

export type ShownQuestion = z.infer<typeof askedQuestion>;

const askedDetails = z.object({
  /** Once per order. */
  order: z.array(askedQuestion),
  /** Of each ticket, in their order. */
  tickets: z.array(
    z.object({
      /** In the order, from 1. */
      position: z.int(),
      ticketName: z.string(),
      isAddOn: z.boolean(),
      asksName: z.enum(NAME_RULES),
      questions: z.array(askedQuestion),
    }),
  ),
});

export type AskedDetails = z.infer<typeof askedDetails>;

export const checkoutPage = z.object({
  eventId: z.string(),
  title: z.string(),
  city: z.string(),
  timezone: z.string(),
  startsAt: z.string(),
  /** In cart order. */
  tickets: z.array(z.object({ position: z.int(), ticketName: z.string(), quantity: z.int() })),
  totalCents: z.int(),
  /**
   * `open`: the tickets are reserved until `reservedUntil`. `paying`: the payment may have arrived. `confirmed`: they are issued and
   * emailed. `expired`: they were released.
   */
  status: z.enum(['open', 'paying', 'confirmed', 'expired']),
  /** While the page is open, or once a code was sent. */
  reservedUntil: z.string(),
  /** What has to be answered first. */
  details: z.nullable(askedDetails),
  /** Of a free order: where the code was sent; null before. Says nothing about the address. */
  sentTo: z.nullable(z.object({ email: z.string(), at: z.string() })),
});

export type CheckoutPage = z.infer<typeof checkoutPage>;

/** Each read extends the reservation. */
export const readCheckoutPage = endpoint({
  method: 'GET',
  path: '/api/public/checkout-page',
  access: 'public',
  input: z.object({ handle }),
  reply: checkoutPage,
});

/** Answers what the order's event asks. Replies as `createCheckoutSession` does, a free order with its page. */
export const sendDetails = endpoint({
  method: 'POST',
  path: '/api/public/checkout-details',
  access: 'public',
  isLarge: true,
  input: z.extend(guestDetails, { handle }),
  reply: paymentPage,
});

/** The payment page of an order whose details are known. */
export const continueCheckout = endpoint({
  method: 'POST',
  path: '/api/public/continue-checkout',
  access: 'public',
  input: z.object({ handle }),
  reply: paymentPage,
});

/** An order that costs nothing: the proof of its buyer's address, and its completion. */
import * as z from 'zod/mini';
import { handle } from '#contract/app/checkout.ts';
import { endpoint } from '#contract/endpoint.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { because } from '#contract/forms/form-problem.ts';
import { honeypot } from '#contract/forms/honeypot.ts';
import { checkoutPage } from './checkout-page.ts';

export const orderCodeForm = z.object({ honeypot, email: emailField });

/** Of the confirmation page. */
const sessionId = z.string();

/** Emails a code and a link. A browser that proved the address in the last day gets the tickets at once. */
export const sendOrderCode = endpoint({
  method: 'POST',
  path: '/api/public/send-order-code',
  access: 'public',
  input: z.object({ ...orderCodeForm.shape, handle }),
  /** `sessionId` is null if the code was sent. */
  reply: z.object({ sessionId: z.nullable(sessionId), order: checkoutPage }),
});

export const orderProofForm = z.object({
  code: z.string().check(
    z.overwrite((code) => code.replaceAll(' ', '')),
    z.regex(/^\d{6}$/, because('order-code.missing')),
  ),
});

/** Issues the tickets, for the code that was emailed or for the token of the link next to it. */
export const confirmFreeOrder = endpoint({
  method: 'POST',
  path: '/api/public/confirm-free-order',
  access: 'public',
  input: z.object({
    handle,
    code: z.optional(orderProofForm.shape.code),
    token: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.object({ sessionId }),
});

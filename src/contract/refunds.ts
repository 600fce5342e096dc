/** A buyer gives a ticket back. */
import * as z from 'zod/mini';
import type { RefundObstacle } from '#domain/settlement.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { endpoint } from './endpoint.ts';
import { sentence } from './sentences.ts';

const spamDetected = 'Spam submission detected.';

export const refundForm = z.object({
  confirmationCode: z.string().check(z.trim(), z.regex(/^\d{10}$/, 'Confirmation code must be exactly 10 digits.')),
  honeypot: z.optional(z.string().check(z.maxLength(0, spamDetected))),
});

export const requestRefund = endpoint({
  method: 'POST',
  path: '/api/public/request-refund',
  access: 'public',
  input: z.object({ ...refundForm.shape, eventId: z.string() }),
  reply: sentence,
});

export const refundAccepted = 'Your refund request has been accepted. Please allow 3-7 business days for processing.';

/** A new obstacle in the domain does not compile until it has words for the buyer. */
export const refundRefusals: Record<RefundObstacle | 'unknown-ticket' | 'disputed' | 'not-accepted', string> = {
  'unknown-ticket': 'No ticket of this event has this confirmation code.',
  'already-refunded': 'This ticket has already been refunded.',
  'already-scanned': 'This ticket was used at the door and cannot be refunded.',
  void: 'This ticket is no longer valid.',
  'window-closed': `Refunds close ${SETTLEMENT_HOLD_HOURS} hours after the event ends.`,
  disputed: 'The payment for this ticket is being disputed with the bank, so it cannot be refunded here.',
  'not-accepted': 'The card company did not accept this refund. We have been told; your ticket stays as it was.',
};

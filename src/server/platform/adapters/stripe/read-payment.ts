/** Reads a payment from Stripe with its fee, refunds and disputes. */
import type Stripe from 'stripe';
import type {
  PaymentReading,
  ProcessorDispute,
  ProcessorRefundState,
} from '#server/platform/ports/payment-processor.ts';
import { expectAnswer, feeOfCharge, isMissing } from './stripe-answers.ts';

export async function readPayment(stripe: Stripe, paymentId: string): Promise<PaymentReading | null> {
  const payment = await findPayment(stripe, paymentId);
  if (!payment) return null;
  const refunds = await stripe.refunds
    .list({ payment_intent: paymentId, limit: 100 })
    .autoPagingToArray({ limit: 1000 });
  const disputes = await stripe.disputes.list({ payment_intent: paymentId, limit: 100 });
  const { event_id: eventId, order_id: orderId } = payment.metadata;
  return {
    paymentId,
    order: eventId && orderId ? { eventId, orderId } : null,
    chargedCents: payment.amount_received,
    feeCents: feeOfCharge(payment.latest_charge),
    refunds: refunds.map(refundOf).reverse(),
    disputes: disputes.data.map(disputeOf).reverse(),
  };
}

async function findPayment(stripe: Stripe, paymentId: string): Promise<Stripe.PaymentIntent | null> {
  try {
    const payment = await stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge.balance_transaction'] });
    return expectAnswer(payment, 'payment_intent', ['id', 'status']);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export function refundOf(answer: Stripe.Refund): ProcessorRefundState {
  const refund = expectAnswer(answer, 'refund', ['id', 'status']);
  return {
    stripeRefundId: refund.id,
    refundId: refund.metadata?.['refund_id'] ?? null,
    ticketId: refund.metadata?.['ticket_id'] ?? null,
    cents: refund.amount,
    state: stateOfRefund(refund.status),
    hasMoved: refund.balance_transaction !== null,
    failure: refund.failure_reason ?? null,
  };
}

export function stateOfRefund(status: string | null): ProcessorRefundState['state'] {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

export function disputeOf(answer: Stripe.Dispute): ProcessorDispute {
  const dispute = expectAnswer(answer, 'dispute', ['id', 'status']);
  const dueBy = dispute.evidence_details.due_by;
  return {
    stripeDisputeId: dispute.id,
    cents: dispute.amount,
    feeCents: dispute.balance_transactions.reduce((sum, { fee }) => sum + fee, 0),
    state: stateOfDispute(dispute.status),
    reason: dispute.reason,
    dueAt: dueBy ? new Date(dueBy * 1000) : null,
  };
}

/** A status that starts with `warning` is an inquiry: no money moves. */
function stateOfDispute(status: Stripe.Dispute['status']): ProcessorDispute['state'] {
  if (status === 'won') return 'won';
  if (status === 'lost') return 'lost';
  if (status === 'warning_closed' || status === 'prevented') return 'closed';
  return status.startsWith('warning_') ? 'inquiry' : 'open';
}

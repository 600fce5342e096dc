/** The evidence for a dispute, as a document and as Stripe's fields, and what an operator reads about it. */
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';

export const evidenceTexts = {
  download: 'Evidence (PDF)',
  send: 'Send evidence to Stripe',
  sent: (at: string) => `Evidence sent ${at}`,
  done: 'The evidence is with Stripe.',
  failed: "We couldn't send the evidence. Please try again.",
};

export const evidenceDocument = {
  title: (stripeDisputeId: string) => `Evidence for dispute ${stripeDisputeId}`,
  sections: {
    purchase: 'Purchase',
    page: 'What the page showed at the purchase',
    organizer: 'What the organizer adds',
    emails: 'Emails to the buyer',
    scans: 'Tickets scanned at the door',
    refunds: 'Refunds',
  },
  nothing: 'None.',
  order: (orderId: string) => `Order ${orderId}`,
  payment: (paymentId: string) => `Payment ${paymentId}`,
  buyer: (email: string) => `Buyer ${email}`,
  paid: (amount: string, at: string) => `${amount} paid on ${at}`,
  line: (quantity: number, name: string, price: string) => `${quantity} x ${name} at ${price}`,
  event: (title: string, organization: string) => `${title}, by ${organization}`,
  organizer: 'the organizer',
  version: (version: number) => `Version ${version} of the page`,
  takesPlace: (starts: string, ends: string) => `From ${starts} to ${ends}`,
  policy: `Tickets can be refunded until ${SETTLEMENT_HOLD_HOURS} hours after the event ends, unless they were scanned. A cancelled event refunds everyone.`,
  email: (kind: string, at: string | null) =>
    `${kind.replaceAll('-', ' ')}: ${at ? `delivered ${at}` : 'not delivered'}`,
  scan: (ticket: string, number: string, at: string, device: string) =>
    `${ticket} ${number}: scanned on ${at} by ${device}`,
  unscanned: (ticket: string, number: string) => `${ticket} ${number}: not scanned`,
  device: 'a device that is no longer listed',
  refund: (amount: string, reason: string, state: string, at: string) =>
    `${amount}, ${reason.replaceAll('-', ' ')}, ${state}, ${at}`,
};

export const evidenceErrors = {
  'evidence.not-accepted': "Stripe didn't accept the evidence. Answer this dispute in Stripe's dashboard.",
  'evidence.sent': 'The evidence for this dispute was sent.',
  'evidence.too-late': "The bank's deadline has passed.",
  'evidence.unknown': 'No such dispute.',
};

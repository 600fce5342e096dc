/** Action items: each kind, its message, and the actions an operator can take. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/messages/requests.ts';

export const actionItemKinds = [
  'order-reserved',
  'order-needs-review',
  'webhook-unprocessed',
  'email-unsent',
  'refund-unsent',
  'refund-refused',
  'refund-request-refused',
  'refund-failed',
  'refund-unsettled',
  'payout-unsent',
  'payout-rejected',
  'payout-awaiting-funds',
  'payout-awaiting-account',
  'return-unpaid',
  'reversal-unsettled',
  'receivable',
  'receivable-disputed',
  'over-deducted',
  'dispute',
  'inquiry',
  'discrepancy',
  'job-given-up',
] as const;
export type ActionItemKind = (typeof actionItemKinds)[number];

export type OperatorAction = 'retry' | 'refund-order' | 'paid-another-way' | 'write-off';

interface ActionItemMessages {
  what: string;
  /** The meaning, and what to do if no action applies. */
  advice: string;
  actions: readonly OperatorAction[];
}

export const actionItemMessages: Record<ActionItemKind, ActionItemMessages> = {
  'order-reserved': {
    what: 'Stuck checkout',
    advice: 'Its tickets stay reserved until Stripe says whether it was paid.',
    actions: ['retry'],
  },
  'order-needs-review': {
    what: "Payment doesn't match its order",
    advice: 'The buyer paid and has no tickets. Check the payment in Stripe, then refund it.',
    actions: ['refund-order'],
  },
  'webhook-unprocessed': {
    what: 'Unprocessed Stripe webhook',
    advice: 'Reconciliation will catch it too, just later.',
    actions: ['retry'],
  },
  'email-unsent': {
    what: 'Email not sent',
    advice: 'If many are waiting, check the mail server first.',
    actions: ['retry'],
  },
  'refund-unsent': {
    what: 'Refund not sent',
    advice: 'We retry automatically. If many are waiting, Stripe is unreachable.',
    actions: ['retry'],
  },
  'refund-refused': {
    what: 'Refund failed',
    advice: 'Stripe declined it. Fix the reason if you can, then try again.',
    actions: ['retry'],
  },
  'refund-request-refused': {
    what: 'Refund request declined',
    advice: 'Stripe declined it. The buyer keeps the ticket and can ask again.',
    actions: [],
  },
  'refund-failed': {
    what: 'Refund bounced',
    advice: "The buyer's bank returned the money, so we still owe it. Pay the buyer another way, then confirm it here.",
    actions: ['paid-another-way'],
  },
  'refund-unsettled': {
    what: 'Refund pending for more than 10 days',
    advice: 'Usually our Stripe balance was too low. Top it up, or ask Stripe.',
    actions: ['retry'],
  },
  'payout-unsent': {
    what: 'Payout not sent',
    advice: 'We retry automatically. If many are waiting, Stripe is unreachable.',
    actions: ['retry'],
  },
  'payout-rejected': {
    what: 'Payout declined',
    advice: 'Fix the reason, then try again. Nothing is paid twice.',
    actions: ['retry'],
  },
  'payout-awaiting-funds': {
    what: 'Payout waiting for funds',
    advice: 'Our Stripe balance is too low. It sends automatically once topped up.',
    actions: ['retry'],
  },
  'payout-awaiting-account': {
    what: 'Payout waiting for its organizer',
    advice: "The organizer's Stripe account can't receive money. The organizer has to complete it.",
    actions: ['retry'],
  },
  'return-unpaid': {
    what: 'Won dispute not paid out',
    advice:
      "The money is the organizer's again, and we retry automatically. If it stays here, the ledger owes that event less than this: check its refunds and disputes.",
    actions: ['retry'],
  },
  'reversal-unsettled': {
    what: 'Transfer reversal pending',
    advice: "Stripe hasn't confirmed the reversal of the payout yet.",
    actions: ['retry'],
  },
  receivable: {
    what: 'Organizer owes money',
    advice: "We deduct it from the organizer's next payout. Write it off only if there won't be one.",
    actions: ['write-off'],
  },
  'receivable-disputed': {
    what: 'Organizer owes money, dispute open',
    advice: 'Winning the dispute settles it automatically. You can write it off if the dispute is lost.',
    actions: [],
  },
  'over-deducted': {
    what: 'Too much withheld from an organizer',
    advice: "This should never happen. Don't pay this organizer by hand until we know why.",
    actions: [],
  },
  dispute: {
    what: 'Open dispute',
    advice: 'Respond in Stripe before its due date.',
    actions: [],
  },
  inquiry: {
    what: 'Bank inquiry',
    advice: 'No money has moved. Respond in Stripe before it becomes a dispute.',
    actions: [],
  },
  discrepancy: {
    what: "Stripe doesn't match our ledger",
    advice: 'It closes automatically once they match. Until then, check this payment in Stripe.',
    actions: [],
  },
  'job-given-up': {
    what: 'Failed job',
    advice: 'Fix the cause, then try again.',
    actions: ['retry'],
  },
};

interface OperatorActionMessages {
  label: string;
  /** Asked before the action runs. */
  question: string;
  done: string;
}

export const operatorActionMessages: Record<OperatorAction, OperatorActionMessages> = {
  retry: { label: 'Try again now', question: 'Safe to retry; nothing runs twice.', done: 'Tried again.' },
  'refund-order': {
    label: 'Refund the order',
    question: "Everything paid for this order goes back to the buyer's card. This can't be undone.",
    done: 'The refund is on its way.',
  },
  'paid-another-way': {
    label: 'Paid another way',
    question: "Only confirm once the buyer has been paid. This can't be undone.",
    done: 'Marked as paid another way.',
  },
  'write-off': {
    label: 'Write off',
    question: "The organizer no longer owes this, and we take the loss. This can't be undone.",
    done: 'Written off.',
  },
};

export const actionItem = z.object({
  kind: z.enum(actionItemKinds),
  /** Unique within its kind. */
  subject: z.string(),
  event: z.nullable(z.object({ eventId: z.string(), title: z.string(), organization: z.nullable(z.string()) })),
  since: z.string(),
  cents: z.nullable(z.number()),
  /** The reason in Stripe's or the mail server's words. */
  why: z.nullable(z.string()),
  /** Set only if that buyer is owed money. */
  buyerEmail: z.nullable(z.string()),
});
export type ActionItem = z.infer<typeof actionItem>;

/** Returns the oldest items; `total` counts all of them. */
export const adminActionItems = endpoint({
  method: 'GET',
  path: '/api/protected/admin/stuck',
  access: 'admin',
  input: z.object({}),
  reply: z.object({ items: z.array(actionItem), total: z.number() }),
});

const noteMissing = 'Please write a note of at least 5 characters.';

export const noteForm = z.object({
  note: z
    .string()
    .check(z.trim(), z.minLength(5, noteMissing), z.maxLength(500, 'Note must be 500 characters or less.')),
});

export const operatorErrors = {
  gone: 'Already handled.',
  'not-possible': "That action isn't available here.",
  'dispute-open': "This dispute can still be won. You can write it off once it's lost.",
  'payout-under-way': "A payout that deducts this money is in progress. Please try again when it's done.",
};

const rowId = z.uuid(operatorErrors.gone);

export const retryActionItem = endpoint({
  method: 'POST',
  path: '/api/protected/admin/retry',
  access: 'admin',
  input: z.object({ kind: z.enum(actionItemKinds), subject: z.string() }),
  reply: messageReply,
});

export const refundReviewedOrder = endpoint({
  method: 'POST',
  path: '/api/protected/admin/refund-order',
  access: 'admin',
  input: z.object({ subject: rowId }),
  reply: messageReply,
});

export const settleAnotherWay = endpoint({
  method: 'POST',
  path: '/api/protected/admin/paid-another-way',
  access: 'admin',
  input: z.object({ subject: rowId, ...noteForm.shape }),
  reply: messageReply,
});

export const writeOffReceivable = endpoint({
  method: 'POST',
  path: '/api/protected/admin/write-off',
  access: 'admin',
  input: z.object({ subject: rowId, ...noteForm.shape }),
  reply: messageReply,
});

export const noActionItems = 'All clear.';

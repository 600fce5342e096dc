/** Action items: each kind, its message, and the actions an operator can take. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { someLines } from '#contract/forms/typed-text.ts';
import { messageReply } from '#contract/message-reply.ts';

const actionItemKinds = [
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
  'discrepancy',
  'job-given-up',
  'check-in-objection',
  'early-check-ins',
] as const;
export type ActionItemKind = (typeof actionItemKinds)[number];

/** Open disputes are counted and alerted like the others, but the dashboard has a list of their own for them. */
export const countedKinds = [...actionItemKinds, 'dispute', 'inquiry'] as const;
export type CountedKind = (typeof countedKinds)[number];

/** What an operator can decide about one early check-in, or about all of an event. */
const checkInDecisions = ['undo-check-in', 'keep-check-in', 'undo-check-ins', 'keep-check-ins'] as const;
export type CheckInDecision = (typeof checkInDecisions)[number];

export type OperatorAction = 'retry' | 'refund-order' | 'paid-another-way' | 'write-off' | CheckInDecision;

/** What an operator can do about an action item, by its kind. */
export const operatorActions: Record<ActionItemKind, readonly OperatorAction[]> = {
  'order-reserved': ['retry'],
  'order-needs-review': ['refund-order'],
  'webhook-unprocessed': ['retry'],
  'email-unsent': ['retry'],
  'refund-unsent': ['retry'],
  'refund-refused': ['retry'],
  'refund-request-refused': [],
  'refund-failed': ['paid-another-way'],
  'refund-unsettled': ['retry'],
  'payout-unsent': ['retry'],
  'payout-rejected': ['retry'],
  'payout-awaiting-funds': ['retry'],
  'payout-awaiting-account': ['retry'],
  'return-unpaid': ['retry'],
  'reversal-unsettled': ['retry'],
  receivable: ['write-off'],
  'receivable-disputed': [],
  'over-deducted': [],
  discrepancy: [],
  'job-given-up': ['retry'],
  'check-in-objection': ['undo-check-in', 'keep-check-in'],
  'early-check-ins': ['undo-check-ins', 'keep-check-ins'],
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

export const noteForm = z.object({
  note: z
    .string()
    .check(someLines(), z.minLength(5, because('note.too-short')), z.maxLength(500, because('note.too-long'))),
});

const rowId = z.uuid(because('action-item.gone'));

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

/** An undone ticket is valid and refundable again. */
export const decideEarlyCheckIn = endpoint({
  method: 'POST',
  path: '/api/protected/admin/decide-check-in',
  access: 'admin',
  input: z.object({ action: z.enum(checkInDecisions), subject: rowId, ...noteForm.shape }),
  reply: messageReply,
});

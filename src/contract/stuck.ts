/** What needs a person: each kind of it, what it means, and what the operator can do about it. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { sentence } from './sentences.ts';

export const actionItemKinds = [
  'order-held',
  'order-quarantined',
  'notice-unread',
  'mail-unsent',
  'refund-unsent',
  'refund-refused',
  'refund-request-refused',
  'refund-failed',
  'refund-unsettled',
  'payout-unsent',
  'payout-refused',
  'payout-awaiting-funds',
  'payout-awaiting-account',
  'return-unpaid',
  'recovery-unsettled',
  'receivable',
  'receivable-disputed',
  'kept-too-much',
  'dispute',
  'inquiry',
  'difference',
  'job-given-up',
] as const;
export type ActionItemKind = (typeof actionItemKinds)[number];

export type OperatorAction = 'retry' | 'refund-order' | 'paid-another-way' | 'write-off';

interface ActionItemMessages {
  what: string;
  /** What it means, and what to do where no button helps. */
  advice: string;
  acts: readonly OperatorAction[];
}

export const actionItemMessages: Record<ActionItemKind, ActionItemMessages> = {
  'order-held': {
    what: 'Checkout past its time',
    advice: 'Its tickets stay reserved until the card company says whether it was paid.',
    acts: ['retry'],
  },
  'order-quarantined': {
    what: 'Payment that does not match its order',
    advice: 'The buyer paid and has no tickets. Look at the payment at the card company, then refund it.',
    acts: ['refund-order'],
  },
  'notice-unread': {
    what: 'Notice of the card company not acted on',
    advice: 'What it tells is found by the comparison with the card company as well, only later.',
    acts: ['retry'],
  },
  'mail-unsent': {
    what: 'Mail not sent',
    advice: 'If many are waiting, look at the mail server first.',
    acts: ['retry'],
  },
  'refund-unsent': {
    what: 'Refund not sent',
    advice: 'It is tried again by itself. If many are waiting, the card company cannot be reached.',
    acts: ['retry'],
  },
  'refund-refused': {
    what: 'Refund refused',
    advice: 'The card company said no. Where its reason can be removed, remove it and ask again.',
    acts: ['retry'],
  },
  'refund-request-refused': {
    what: 'Refund request refused',
    advice: 'The card company said no. The buyer keeps the ticket, and can ask again.',
    acts: [],
  },
  'refund-failed': {
    what: 'Refund came back',
    advice: "The buyer's bank returned the money, so it is still owed. Pay the buyer another way, then say so here.",
    acts: ['paid-another-way'],
  },
  'refund-unsettled': {
    what: 'Refund under way for more than 10 days',
    advice: 'Most often our balance at the card company was too low. Top it up, or ask the card company.',
    acts: ['retry'],
  },
  'payout-unsent': {
    what: 'Payout not sent',
    advice: 'It is tried again by itself. If many are waiting, the card company cannot be reached.',
    acts: ['retry'],
  },
  'payout-refused': {
    what: 'Payout refused',
    advice: 'Remove the reason, then try again. Nothing is paid twice.',
    acts: ['retry'],
  },
  'payout-awaiting-funds': {
    what: 'Payout waiting for funds',
    advice: 'Our balance at the card company is too low. It goes out by itself when the money is there.',
    acts: ['retry'],
  },
  'payout-awaiting-account': {
    what: 'Payout waiting for its organizer',
    advice: "The organizer's payout account cannot take money. The organizer has to complete it.",
    acts: ['retry'],
  },
  'return-unpaid': {
    what: 'Money of an ended dispute not paid',
    advice:
      "It is the organizer's again, and tried again by itself. If it stays, the books owe that event less than this: look at its refunds and disputes.",
    acts: ['retry'],
  },
  'recovery-unsettled': {
    what: 'Money to take back from an organizer',
    advice: 'The reversal of the payout has not been answered yet.',
    acts: ['retry'],
  },
  receivable: {
    what: 'Organizer owes money',
    advice: "It is kept from the organizer's next payout. Write it off only when there will be none.",
    acts: ['write-off'],
  },
  'receivable-disputed': {
    what: 'Debt of an organizer with a dispute under way',
    advice: 'A won dispute settles it by itself. It can be written off once the dispute is lost.',
    acts: [],
  },
  'kept-too-much': {
    what: 'More kept from an organizer than was owed',
    advice: 'This must never be. Pay no more to this organizer by hand before the cause is found.',
    acts: [],
  },
  dispute: {
    what: 'Open dispute',
    advice: 'Answer it in the dashboard of the card company, before its due date.',
    acts: [],
  },
  inquiry: {
    what: "Question of a buyer's bank",
    advice: 'No money has moved. Answer it in the dashboard of the card company, before it becomes a dispute.',
    acts: [],
  },
  difference: {
    what: 'The card company and our books disagree',
    advice: 'It closes by itself once both agree. Until then look at this payment there.',
    acts: [],
  },
  'job-given-up': {
    what: 'Job given up',
    advice: 'Remove the cause, then try again.',
    acts: ['retry'],
  },
};

interface OperatorActionMessages {
  label: string;
  /** What will happen, before it does. */
  question: string;
  done: string;
}

export const operatorActionMessages: Record<OperatorAction, OperatorActionMessages> = {
  retry: { label: 'Try again now', question: 'It is tried once more. Nothing happens twice.', done: 'Tried again.' },
  'refund-order': {
    label: 'Refund the order',
    question: 'All that arrived for this order goes back to the card it was paid with. This cannot be undone.',
    done: 'The refund is on its way.',
  },
  'paid-another-way': {
    label: 'Paid another way',
    question: 'Say so only after the buyer has the money. The books then owe the buyer nothing. This cannot be undone.',
    done: 'Noted: paid another way.',
  },
  'write-off': {
    label: 'Write off',
    question: 'The organizer then owes this no longer, and the loss is ours. This cannot be undone.',
    done: 'Written off.',
  },
};

export const actionItem = z.object({
  kind: z.enum(actionItemKinds),
  /** Names it together with its kind. */
  subject: z.string(),
  event: z.nullable(z.object({ eventId: z.string(), title: z.string(), organization: z.nullable(z.string()) })),
  since: z.string(),
  cents: z.nullable(z.number()),
  /** In the words of whoever said no. */
  why: z.nullable(z.string()),
  /** Only where money is owed to that buyer. */
  buyerEmail: z.nullable(z.string()),
});
export type ActionItem = z.infer<typeof actionItem>;

/** The oldest; `total` counts the others too. */
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
    .check(z.trim(), z.minLength(5, noteMissing), z.maxLength(500, 'Please keep the note to 500 characters.')),
});

export const operatorErrors = {
  gone: 'This does not need anybody any more.',
  'not-possible': 'That cannot be done about this.',
  'dispute-open': 'The dispute about this money can still be won. It can be written off once the dispute is lost.',
  'payout-under-way': 'A payout that keeps this money back is on its way. Please try again when it is done.',
};

const rowId = z.uuid(operatorErrors.gone);

export const retryActionItem = endpoint({
  method: 'POST',
  path: '/api/protected/admin/retry',
  access: 'admin',
  input: z.object({ kind: z.enum(actionItemKinds), subject: z.string() }),
  reply: sentence,
});

export const refundReviewedOrder = endpoint({
  method: 'POST',
  path: '/api/protected/admin/refund-order',
  access: 'admin',
  input: z.object({ subject: rowId }),
  reply: sentence,
});

export const settleAnotherWay = endpoint({
  method: 'POST',
  path: '/api/protected/admin/paid-another-way',
  access: 'admin',
  input: z.object({ subject: rowId, ...noteForm.shape }),
  reply: sentence,
});

export const writeOffReceivable = endpoint({
  method: 'POST',
  path: '/api/protected/admin/write-off',
  access: 'admin',
  input: z.object({ subject: rowId, ...noteForm.shape }),
  reply: sentence,
});

export const noActionItems = 'Nothing needs you.';

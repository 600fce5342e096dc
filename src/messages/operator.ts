/** The dashboard of the operator: action items, discrepancies and money. */

import type { ActionItemKind, CountedKind, OperatorAction } from '#contract/app/action-items.ts';
import type { DiscrepancyKind } from '#domain/discrepancy.ts';
import { EARLY_CHECK_IN_HOURS } from '#domain/limits.ts';
import type { OwnFailureReason } from '#domain/reversal.ts';
import { DAYS, plural } from './format.ts';
import { irreversible } from './pages.ts';

export const discrepancyMessages: Record<DiscrepancyKind, string> = {
  'unknown-order':
    "A paid checkout refers to an order that doesn't exist and can't be rebuilt, for example because its event is lost, too.",
  'unknown-payment': 'Stripe has balance transactions for a payment that belongs to no order.',
  'unknown-transfer': 'Stripe has balance transactions for a transfer that belongs to no payout.',
  payment: "Stripe's balance transactions for this payment don't match our ledger.",
  transfer: "Stripe's balance transactions for this transfer don't match our ledger.",
  payout: "A payout was blocked because its event's tickets don't match our ledger.",
  balance: "Stripe's balance doesn't match our ledger.",
};

export const failureReasons: Record<OwnFailureReason, string> = {
  'refunded-elsewhere': "This order's money was already refunded another way.",
  'transfer-too-small': "This payout's transfer is too small to reverse this much.",
};

/** Why an early check-in is an action item, by its number: hours before the start, and check-ins. */
export const earlyCheckInReasons: Record<'check-in-objection' | 'early-check-ins', (count: number) => string> = {
  'check-in-objection': (hours) =>
    `Checked in ${hours < 48 ? plural(hours, { one: '# hour', other: '# hours' }) : plural(Math.round(hours / 24), DAYS)} before the start.`,
  'early-check-ins': (count) =>
    `${plural(count, { one: '# ticket', other: '# tickets' })} checked in more than ${EARLY_CHECK_IN_HOURS} hours before the start.`,
};

interface ActionItemMessages {
  what: string;
  /** The meaning, and what to do if no action applies. */
  advice: string;
}

/** Disputes have their advice in the list of disputes. */
export const actionItemMessages: Record<ActionItemKind, ActionItemMessages> &
  Record<CountedKind, Pick<ActionItemMessages, 'what'>> = {
  'order-reserved': {
    what: 'Stuck checkout',
    advice: 'Its tickets stay reserved until Stripe says whether it was paid.',
  },
  'order-needs-review': {
    what: "Payment doesn't match its order",
    advice: 'The buyer paid but has no tickets. Check the payment in Stripe, then refund it.',
  },
  'webhook-unprocessed': {
    what: 'Unprocessed Stripe webhook',
    advice: 'Reconciliation will catch it too, just later.',
  },
  'email-unsent': {
    what: 'Email not sent',
    advice: 'If many are waiting, check the mail server first.',
  },
  'refund-unsent': {
    what: 'Refund not sent',
    advice: 'We retry automatically. If many are waiting, Stripe is unreachable.',
  },
  'refund-refused': {
    what: 'Refund failed',
    advice: 'Stripe declined it. Fix the reason if you can, then try again.',
  },
  'refund-request-refused': {
    what: 'Refund request declined',
    advice: 'Stripe declined it. The buyer keeps the ticket and can ask again.',
  },
  'refund-failed': {
    what: 'Refund bounced',
    advice: "The buyer's bank returned the money, so we still owe it. Pay the buyer another way, then confirm it here.",
  },
  'refund-unsettled': {
    what: 'Refund pending for more than 10 days',
    advice: 'Usually our Stripe balance was too low. Top it up, or ask Stripe.',
  },
  'payout-unsent': {
    what: 'Payout not sent',
    advice: 'We retry automatically. If many are waiting, Stripe is unreachable.',
  },
  'payout-rejected': {
    what: 'Payout declined',
    advice: 'Fix the reason, then try again. Nothing is paid twice.',
  },
  'payout-awaiting-funds': {
    what: 'Payout waiting for funds',
    advice: 'Our Stripe balance is too low. It sends automatically once topped up.',
  },
  'payout-awaiting-account': {
    what: 'Payout waiting for the organizer',
    advice: 'Stripe needs something from the organizer before their account can receive money.',
  },
  'return-unpaid': {
    what: 'Won dispute not paid out',
    advice:
      'The organizer gets this money, and we retry automatically. If it stays here, the ledger owes this event less: check its refunds and disputes.',
  },
  'reversal-unsettled': {
    what: 'Transfer reversal pending',
    advice: "Stripe hasn't confirmed the payout's reversal yet.",
  },
  receivable: {
    what: 'Organizer owes money',
    advice: "We deduct it from the organizer's next payout. Write it off only if there won't be one.",
  },
  'receivable-disputed': {
    what: 'Organizer owes money, dispute open',
    advice: 'Winning the dispute settles it automatically. You can write it off if the dispute is lost.',
  },
  'over-deducted': {
    what: 'Too much deducted from an organizer',
    advice: "This should never happen. Don't pay this organizer by hand until we know why.",
  },
  dispute: { what: 'Open dispute' },
  inquiry: { what: 'Bank inquiry' },
  discrepancy: {
    what: "Stripe doesn't match our ledger",
    advice: 'It closes automatically once they match. Until then, check this payment in Stripe.',
  },
  'job-given-up': {
    what: 'Failed job',
    advice: 'Fix the cause, then try again.',
  },
  'check-in-objection': {
    what: "Buyer says they weren't there",
    advice:
      "The ticket was checked in long before the start, and its buyer objects. Ask the organizer. The event's payout waits until you decide.",
  },
  'early-check-ins': {
    what: 'Many early check-ins',
    advice:
      'A check-in ends refunds, and the buyers were emailed. Ask the organizer why. Undoing makes every one of these tickets valid and refundable again.',
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
    question: `This refunds the whole order to the buyer's card. ${irreversible}`,
    done: 'The refund is on its way.',
  },
  'paid-another-way': {
    label: 'Paid another way',
    question: `Only confirm once the buyer has been paid. ${irreversible}`,
    done: 'Marked as paid another way.',
  },
  'write-off': {
    label: 'Write off',
    question: `The organizer no longer owes this, and we take the loss. ${irreversible}`,
    done: 'Written off.',
  },
  'undo-check-in': {
    label: 'Undo the check-in',
    question:
      'The ticket is valid and refundable again, and we email its buyer. The payout waits another day, so they can ask for a refund.',
    done: 'Undone. The buyer was emailed.',
  },
  'keep-check-in': {
    label: 'Let it stand',
    question: "The ticket stays checked in and can't be refunded. We email its buyer.",
    done: 'The check-in stands. The buyer was emailed.',
  },
  'undo-check-ins': {
    label: 'Undo them all',
    question:
      'The tickets are valid and refundable again, and we email their buyers. The payout waits another day, so they can ask for refunds.',
    done: 'Undone. The buyers were emailed.',
  },
  'keep-check-ins': {
    label: 'Let them stand',
    question: 'The tickets stay checked in. Their buyers can still object.',
    done: 'The check-ins stand.',
  },
};

export const noActionItems = 'All clear.';

export const moneyMessages = {
  agree: 'Our ledger matches Stripe',
  disagree: "Our ledger doesn't match Stripe",
  behind: 'Reconciling…',
  never: 'Not reconciled yet.',
};

export const welcomeAdmin = 'Welcome Admin!';

export const operatorErrors = {
  'action-item.dispute-open': "This dispute can still be won. You can write it off once it's lost.",
  'action-item.gone': 'Already handled.',
  'action-item.not-possible': "That action isn't available here.",
  'action-item.payout-under-way': "A payout that deducts this money is in progress. Please try again when it's done.",
  'person.unknown': 'No account has this email address.',
  'review.not-under-review': "This order isn't waiting for a decision.",
  'review.other-currency': "This payment isn't in US dollars. Refund it in Stripe.",
};

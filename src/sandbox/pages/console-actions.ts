/** What the console's buttons do. */

import { activateAccount, closeAccount, restrictAccount } from '../accounts.ts';
import { invalidRequest, resourceMissing } from '../api/errors.ts';
import { advanceDispute, bounceRefund, disputePayment, releaseAllPendingFunds } from '../bank-actions.ts';
import { resendEvent } from '../delivery-queue.ts';
import { lockObject } from '../objects.ts';
import type { OperationContext } from '../operation-context.ts';

interface ActionDefinition {
  /** On the button. */
  label: string;
  /** Where the person is taken afterwards, and what is said there. */
  section: string;
  confirmation: string;
  run(ctx: OperationContext, subject: string): Promise<unknown>;
}

const onAccount =
  (
    step: (ctx: OperationContext, account: Awaited<ReturnType<typeof lockAccount>>) => Promise<unknown>,
  ): ActionDefinition['run'] =>
  async (ctx, id) =>
    await step(ctx, await lockAccount(ctx, id));

export const actions = {
  dispute: {
    label: 'Dispute now',
    section: 'payments',
    confirmation: 'The buyer disputes the payment. Amount and fee have left the balance.',
    run: (ctx, id) => disputePayment(ctx, id, { kind: 'chargeback', reason: 'fraudulent' }),
  },
  inquire: {
    label: 'Open inquiry',
    section: 'payments',
    confirmation: "The buyer's bank asks about the payment. No money has moved.",
    run: (ctx, id) => disputePayment(ctx, id, { kind: 'inquiry', reason: 'general' }),
  },
  'fail-refund': {
    label: 'Fail refund',
    section: 'refunds',
    confirmation: "The buyer's bank has sent the refund back.",
    run: bounceRefund,
  },
  win: {
    label: 'Win',
    section: 'disputes',
    confirmation: 'The dispute is won. The amount is back; the fee is not.',
    run: (ctx, id) => advanceDispute(ctx, id, 'won'),
  },
  lose: {
    label: 'Lose',
    section: 'disputes',
    confirmation: 'The dispute is lost.',
    run: (ctx, id) => advanceDispute(ctx, id, 'lost'),
  },
  escalate: {
    label: 'Make it a dispute',
    section: 'disputes',
    confirmation: 'The inquiry has become a dispute. Amount and fee have left the balance.',
    run: (ctx, id) => advanceDispute(ctx, id, 'chargeback'),
  },
  'drop-inquiry': {
    label: 'Close inquiry',
    section: 'disputes',
    confirmation: 'The inquiry is closed.',
    run: (ctx, id) => advanceDispute(ctx, id, 'won'),
  },
  restrict: {
    label: 'Restrict',
    section: 'accounts',
    confirmation: 'The account is restricted: it receives no transfers until it is lifted.',
    run: onAccount(restrictAccount),
  },
  lift: {
    label: 'Lift restriction',
    section: 'accounts',
    confirmation: 'The account is active.',
    run: onAccount(activateAccount),
  },
  close: {
    label: 'Close account',
    section: 'accounts',
    confirmation: 'The account is closed for good.',
    run: onAccount(closeAccount),
  },
  release: {
    label: 'Make pending money available',
    section: 'balance',
    confirmation: 'All pending money is available.',
    run: releaseAllPendingFunds,
  },
  resend: {
    label: 'Resend',
    section: 'events',
    confirmation: 'The event is sent again.',
    run: async (ctx, id) => {
      if ((await resendEvent(ctx, id)) === 0) throw invalidRequest('Nobody listens to this event.');
    },
  },
} satisfies Record<string, ActionDefinition>;

export type Action = keyof typeof actions;

export const isAction = (text: string): text is Action => Object.hasOwn(actions, text);

async function lockAccount(ctx: OperationContext, id: string) {
  const account = await lockObject(ctx, 'v2.core.account', id);
  if (!account) throw resourceMissing('account', id);
  return account;
}

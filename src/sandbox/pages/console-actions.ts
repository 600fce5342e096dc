/** Actions behind the console's buttons. */

import { activateAccount, closeAccount, restrictAccount } from '#sandbox/accounts/accounts.ts';
import {
  advanceDispute,
  bounceRefund,
  disputePayment,
  releaseAllPendingFunds,
} from '#sandbox/payments/bank-actions.ts';
import { resendEvent } from '#sandbox/webhooks/delivery-queue.ts';
import { invalidRequest, resourceMissing } from '../api/errors.ts';
import { lockObject } from '../objects.ts';
import type { OperationContext } from '../operation-context.ts';

interface ActionDefinition {
  /** Button label. */
  label: string;
  /** The section to show afterward, with the confirmation in it. */
  section: string;
  confirmation: string;
  run(ctx: OperationContext, subject: string): Promise<unknown>;
}

const withAccount =
  (
    action: (ctx: OperationContext, account: Awaited<ReturnType<typeof lockAccount>>) => Promise<unknown>,
  ): ActionDefinition['run'] =>
  async (ctx, id) =>
    await action(ctx, await lockAccount(ctx, id));

export const actions = {
  dispute: {
    label: 'Dispute now',
    section: 'payments',
    confirmation: 'The buyer disputes the payment. The amount and the dispute fee were withdrawn.',
    run: (ctx, id) => disputePayment(ctx, id, { kind: 'chargeback', reason: 'fraudulent' }),
  },
  inquire: {
    label: 'Open inquiry',
    section: 'payments',
    confirmation: "The buyer's bank opened an inquiry. No funds moved.",
    run: (ctx, id) => disputePayment(ctx, id, { kind: 'inquiry', reason: 'general' }),
  },
  'fail-refund': {
    label: 'Fail refund',
    section: 'refunds',
    confirmation: "The buyer's bank returned the refund.",
    run: bounceRefund,
  },
  win: {
    label: 'Win',
    section: 'disputes',
    confirmation: 'The dispute is won. The amount was reinstated, but not the fee.',
    run: (ctx, id) => advanceDispute(ctx, id, 'won'),
  },
  lose: {
    label: 'Lose',
    section: 'disputes',
    confirmation: 'The dispute is lost.',
    run: (ctx, id) => advanceDispute(ctx, id, 'lost'),
  },
  escalate: {
    label: 'Escalate to dispute',
    section: 'disputes',
    confirmation: 'The inquiry is now a dispute. The amount and the dispute fee were withdrawn.',
    run: (ctx, id) => advanceDispute(ctx, id, 'chargeback'),
  },
  'close-inquiry': {
    label: 'Close inquiry',
    section: 'disputes',
    confirmation: 'The inquiry is closed.',
    run: (ctx, id) => advanceDispute(ctx, id, 'won'),
  },
  restrict: {
    label: 'Restrict',
    section: 'accounts',
    confirmation: "The account is restricted and can't receive transfers.",
    run: withAccount(restrictAccount),
  },
  lift: {
    label: 'Lift restriction',
    section: 'accounts',
    confirmation: 'The account is active.',
    run: withAccount(activateAccount),
  },
  close: {
    label: 'Close account',
    section: 'accounts',
    confirmation: 'The account is permanently closed.',
    run: withAccount(closeAccount),
  },
  release: {
    label: 'Release pending funds',
    section: 'balance',
    confirmation: 'All pending funds are available.',
    run: releaseAllPendingFunds,
  },
  resend: {
    label: 'Resend',
    section: 'events',
    confirmation: 'The event was queued for delivery.',
    run: async (ctx, id) => {
      if ((await resendEvent(ctx, id)) === 0) throw invalidRequest('No endpoint subscribes to this event.');
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

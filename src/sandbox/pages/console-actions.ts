/** What the console's buttons do. */

import { activateAccount, closeAccount, restrictAccount } from '../accounts.ts';
import { invalidRequest, noSuch } from '../api/errors.ts';
import { resend } from '../delivery-queue.ts';
import { disputePayment, happenToDispute, loseRefund, releaseFunds } from '../bank-actions.ts';
import { lockObject } from '../objects.ts';
import type { Work } from '../operation-context.ts';

interface Doing {
  /** On the button. */
  words: string;
  /** Where the person is taken afterwards, and what is said there. */
  table: string;
  done: string;
  run(work: Work, subject: string): Promise<unknown>;
}

const onAccount =
  (step: (work: Work, account: Awaited<ReturnType<typeof lockAccount>>) => Promise<unknown>): Doing['run'] =>
  async (work, id) =>
    await step(work, await lockAccount(work, id));

export const acts = {
  dispute: {
    words: 'Dispute now',
    table: 'payments',
    done: 'The buyer disputes the payment. Amount and fee have left the balance.',
    run: (work, id) => disputePayment(work, id, { kind: 'chargeback', reason: 'fraudulent' }),
  },
  inquire: {
    words: 'Open inquiry',
    table: 'payments',
    done: "The buyer's bank asks about the payment. No money has moved.",
    run: (work, id) => disputePayment(work, id, { kind: 'inquiry', reason: 'general' }),
  },
  'fail-refund': {
    words: 'Fail refund',
    table: 'refunds',
    done: "The buyer's bank has sent the refund back.",
    run: loseRefund,
  },
  win: {
    words: 'Win',
    table: 'disputes',
    done: 'The dispute is won. The amount is back; the fee is not.',
    run: (work, id) => happenToDispute(work, id, 'won'),
  },
  lose: {
    words: 'Lose',
    table: 'disputes',
    done: 'The dispute is lost.',
    run: (work, id) => happenToDispute(work, id, 'lost'),
  },
  escalate: {
    words: 'Make it a dispute',
    table: 'disputes',
    done: 'The inquiry has become a dispute. Amount and fee have left the balance.',
    run: (work, id) => happenToDispute(work, id, 'chargeback'),
  },
  'drop-inquiry': {
    words: 'Close inquiry',
    table: 'disputes',
    done: 'The inquiry is closed.',
    run: (work, id) => happenToDispute(work, id, 'won'),
  },
  restrict: {
    words: 'Restrict',
    table: 'accounts',
    done: 'The account is restricted: it receives no transfers until it is lifted.',
    run: onAccount(restrictAccount),
  },
  lift: {
    words: 'Lift restriction',
    table: 'accounts',
    done: 'The account is active.',
    run: onAccount(activateAccount),
  },
  close: {
    words: 'Close account',
    table: 'accounts',
    done: 'The account is closed for good.',
    run: onAccount(closeAccount),
  },
  release: {
    words: 'Make pending money available',
    table: 'balance',
    done: 'All pending money is available.',
    run: releaseFunds,
  },
  resend: {
    words: 'Resend',
    table: 'events',
    done: 'The event is sent again.',
    run: async (work, id) => {
      if ((await resend(work, id)) === 0) throw invalidRequest('Nobody listens to this event.');
    },
  },
} satisfies Record<string, Doing>;

export type Act = keyof typeof acts;

export const isAct = (text: string): text is Act => Object.hasOwn(acts, text);

async function lockAccount(work: Work, id: string) {
  const account = await lockObject(work, 'v2.core.account', id);
  if (!account) throw noSuch('account', id);
  return account;
}

/** Guards in the code, each with the edits that remove it. The histories must detect every removal. */
export interface Edit {
  file: string;
  find: string;
  replace: string;
}

export interface Guard {
  name: string;
  edits: readonly Edit[];
}

const ORDERS_SQL = 'src/server/orders/core/orders.sql.ts';
const ADMISSION = 'src/server/orders/core/admit.functions.sql';
const COMPLETION = 'src/server/orders/core/complete.functions.sql';
const FULFIL_ORDER = 'src/server/payments/checkout/fulfill-order.ts';
const REQUEST_REFUND = 'src/server/payments/refunds/request-refund.ts';

export const guards: readonly Guard[] = [
  {
    name: 'an order is locked while it is completed',
    edits: [
      {
        file: ORDERS_SQL,
        find: "'receivedCents', 'reviewReason'])\n    .forNoKeyUpdate()",
        replace: "'receivedCents', 'reviewReason'])",
      },
      // Batched completions are serialized in any case.
      {
        file: FULFIL_ORDER,
        find: 'const isSettled = await completeOrder(deps, order, session);',
        replace: 'const isSettled = false;',
      },
    ],
  },
  {
    name: 'a cancelled event sells nothing',
    edits: [
      {
        file: FULFIL_ORDER,
        find: 'const isOver = event.cancelledAt !== null || ',
        replace: 'const isOver = ',
      },
      { file: COMPLETION, find: 'on e.id = p.event_id and e.cancelled_at is null', replace: 'on e.id = p.event_id' },
    ],
  },
  {
    name: 'only a valid ticket is admitted',
    edits: [
      { file: ADMISSION, find: "state = 'valid' and disputed_at is null", replace: 'disputed_at is null' },
      { file: ADMISSION, find: "and t.state = 'valid'\n    returning", replace: 'returning' },
    ],
  },
  {
    name: 'the stock of a reservation is released once',
    edits: [
      {
        file: 'src/server/orders/release-reservation.ts',
        find: "if (locked?.state !== 'reserved') return;",
        replace: 'if (!locked) return;',
      },
    ],
  },
  {
    name: 'a refund keeps one idempotency key, or is looked up first',
    edits: [
      {
        file: 'src/server/platform/adapters/stripe/send-refund.ts',
        find: 'idempotencyKey: `re:${refundId}:${attempt}`',
        replace: 'idempotencyKey: `re:${refundId}:${attempt}:${Math.random()}`',
      },
      // Either guard suffices except in rare cases, so both are removed, as with transfers.
      {
        file: 'src/server/platform/adapters/stripe/send-refund.ts',
        find: 'const needsLookup = refund.maybeSent || refund.findOrphaned !== null;',
        replace: 'const needsLookup = false;',
      },
    ],
  },
  {
    name: 'a transfer keeps one idempotency key, or is looked up first',
    edits: [
      {
        file: 'src/server/platform/adapters/stripe/transfers.ts',
        find: 'idempotencyKey: `tr:${payoutId}:${attempt}`',
        replace: 'idempotencyKey: `tr:${payoutId}:${attempt}:${Math.random()}`',
      },
      {
        file: 'src/server/platform/adapters/stripe/transfers.ts',
        find: 'if (madeFor === payoutId) return { own: transfer, unknown: undefined };',
        replace: '',
      },
    ],
  },
  {
    name: 'a refund is recorded once',
    edits: [
      {
        file: 'src/server/payments/refunds/refunds.sql.ts',
        find: ".where('r.state', '=', 'claimed')\n    .select(['r.cents', 'r.reason', 'r.ticketId', 'r.actionId', 't.ticketTypeId'])",
        replace: ".select(['r.cents', 'r.reason', 'r.ticketId', 'r.actionId', 't.ticketTypeId'])",
      },
    ],
  },
  {
    name: 'a ticket is refunded only from the right state and in time',
    edits: [{ file: REQUEST_REFUND, find: 'if (denial) throw new AppError(`refund.${denial}`);', replace: '' }],
  },
  {
    name: 'a movement enters the ledger once',
    edits: [
      {
        file: 'src/server/ledger/ledger.sql.ts',
        find: ".onConflict((conflict) => conflict.columns(['eventId', 'subjectId', 'kind', 'account']).doNothing())",
        replace: '',
      },
      {
        file: 'migrations/0004-ledger.sql',
        find: 'create unique index ledger_once on ledger_entries (event_id, subject_id, kind, account);',
        replace: '',
      },
      {
        file: 'src/server/ledger/ledger.functions.sql',
        find: 'on conflict (event_id, subject_id, kind, account) do nothing',
        replace: '',
      },
    ],
  },
  {
    name: 'an event has one first payout',
    edits: [
      { file: 'migrations/0006-payments.sql', find: '  unique (event_id, seq),\n', replace: '' },
      {
        file: 'src/server/payments/payouts/payouts.sql.ts',
        find: ".onConflict((conflict) => conflict.columns(['eventId', 'seq']).doNothing())\n    .returning('id')",
        replace: ".returning('id')",
      },
      {
        file: 'src/server/payments/payouts/request-payout.ts',
        find: 'isPaidOut: payoutRequestedAt !== null',
        replace: 'isPaidOut: false',
      },
    ],
  },
  {
    name: "a payout waits for a day after the event's end",
    edits: [
      {
        file: 'src/domain/settlement.ts',
        find: "if (!isSettled(event.endsAt, now)) return 'too-early';",
        replace: '',
      },
    ],
  },
  {
    name: 'held payouts wait',
    edits: [
      {
        file: 'src/server/payments/holds/holds.functions.sql',
        find: 'where h.event_id = of_event',
        replace: 'where false',
      },
    ],
  },
  {
    name: 'the first payout is capped',
    edits: [
      {
        file: 'src/domain/payouts/brakes.ts',
        find: 'isFirst && firstCapCents !== null',
        replace: 'false && firstCapCents !== null',
      },
    ],
  },
  {
    name: 'a dispute takes what was held back first',
    edits: [
      {
        file: 'src/server/payments/payouts/claim-reversal.ts',
        find: 'await takeFromReserves(tx, eventId, shares.grossCents - shares.feesCents)',
        replace: '0',
      },
    ],
  },
];

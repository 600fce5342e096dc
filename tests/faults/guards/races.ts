/**
 * Every race that the code must win: the test that holds it open, and the edits that remove its guard. Without the
 * guard, that test must fail.
 */
import { type Edit, guards } from './guards.ts';

export interface Race {
  between: string;
  file: string;
  /** Beginning of the test's title. */
  title: string;
  edits: readonly Edit[];
  /** Expected failure output. A test that times out or does not start proves nothing. */
  failure: string;
}

/** Without the guard, a database constraint answers instead of the rule. */
const REFUSED_BY_DATABASE = '+   "status": 500';

const REFUNDS = 'src/server/payments/refunds/refunds.test.ts';
const OUTSIDE = 'src/server/payments/refunds/external-refunds.test.ts';
const REQUEST_REFUND = 'src/server/payments/refunds/request-refund.ts';

/** The second refund fails anyway, because nothing is left of the payment. */
const NOTHING_LEFT: Edit = {
  file: REQUEST_REFUND,
  find: "if ((await refundableCents(tx, { eventId, orderId })) < ticket.priceCents)\n    throw new AppError('refund.partly-refunded');",
  replace: '',
};

const MEMBERS = 'src/server/payments/member-refunds/refund-tickets.test.ts';
const REFUND_TICKETS = 'src/server/payments/member-refunds/refund-tickets.ts';
const REFUNDED_ANYWAY = '+   "status": 200';

const REPEATED = 'tests/security/repeat-refunders.test.ts';

const NEW_KEY_AT_ONCE: readonly Edit[] = [
  {
    file: 'src/server/platform/adapters/stripe/stripe-answers.ts',
    find: "({ headers }: Stripe.errors.StripeError) => headers?.['idempotent-replayed'] === 'true'",
    replace: '({ statusCode = 0 }: Stripe.errors.StripeError) => statusCode >= 500',
  },
];

const SYNC_RACES = 'src/server/checkin/sync/sync-races.test.ts';
const WITHOUT_TICKET_LOCKS: readonly Edit[] = [
  {
    file: 'src/server/checkin/sync/scans.sql.ts',
    find: '     order by t.id\n       for no key update of t`',
    replace: '`',
  },
];

function editsOf(guard: string): readonly Edit[] {
  const found = guards.find(({ name }) => name === guard);
  if (!found) throw new Error(`there is no guard "${guard}"`);
  return found.edits;
}

export const races: readonly Race[] = [
  {
    between: 'two reconciliations that rebuild a lost order',
    file: 'src/server/payments/reconciliation/rebuild-order.test.ts',
    title: 'is rebuilt once by two processes',
    edits: [
      {
        file: 'src/server/orders/core/rebuild.functions.sql',
        find: "'expired', total, moment, session, moment, moment)\n      on conflict do nothing;",
        replace: "'expired', total, moment, session, moment, moment);",
      },
    ],
    failure: '+   "unknown-order',
  },
  {
    between: 'two workers that carry out a change of a series',
    file: 'src/server/events/series-changes/series-changes.test.ts',
    title: 'moves no date twice',
    edits: [
      {
        file: 'src/server/events/series-changes/change-series.ts',
        find: 'if (!event || !(await isWaiting(tx, date))) return;',
        replace: 'if (!event) return;',
      },
    ],
    failure: 'AssertionError',
  },
  {
    between: 'two scans',
    file: 'src/server/checkin/check-in.test.ts',
    title: 'admits one guest when two devices scan the same code concurrently',
    failure: '[ 200, 200 ] to deeply equal [ 200, 409 ]',
    edits: editsOf('only a valid ticket is admitted'),
  },
  {
    between: 'a scan and a later refund',
    file: REFUNDS,
    title: 'denies a refund during a check-in',
    failure: REFUSED_BY_DATABASE,
    edits: editsOf('a ticket is refunded only from the right state and in time'),
  },
  {
    between: 'a refund and a later scan',
    file: REFUNDS,
    title: 'denies a check-in during a refund',
    failure: '[ 200, 500 ] to deeply equal [ 200, 409 ]',
    edits: editsOf('only a valid ticket is admitted'),
  },
  {
    between: 'a scan and a later refund by a member',
    file: MEMBERS,
    title: 'a check-in: the ticket is scanned or refunded',
    failure: REFUSED_BY_DATABASE,
    edits: [
      { file: REFUND_TICKETS, find: 'if (denial) denied.push({ number: confirmationNumber, denial });', replace: '' },
    ],
  },
  {
    between: 'a payout and a later refund by a member',
    file: MEMBERS,
    title: 'a payout: a claimed payout denies it',
    failure: REFUNDED_ANYWAY,
    edits: [
      {
        file: REFUND_TICKETS,
        find: "if (event.payoutRequestedAt) throw new AppError('refund.window-closed');",
        replace: '',
      },
    ],
  },
  {
    between: 'a dispute and a later refund by a member',
    file: MEMBERS,
    title: 'a dispute: an open one denies it',
    failure: REFUNDED_ANYWAY,
    edits: [
      {
        file: REFUND_TICKETS,
        find: "if (await hasOpenDispute(tx, { eventId, orderId })) throw new AppError('refund.disputed');",
        replace: '',
      },
    ],
  },
  {
    between: 'two devices that sync the same tickets',
    file: SYNC_RACES,
    title: 'admit each ticket once: the other device gets "double"',
    failure: '+     "first"',
    edits: WITHOUT_TICKET_LOCKS,
  },
  {
    between: 'a refund and a scan synced later',
    file: SYNC_RACES,
    title: 'result in a sync conflict if the refund comes first',
    failure: '+     "first"',
    edits: WITHOUT_TICKET_LOCKS,
  },
  {
    between: 'a scan synced, and then undone',
    file: 'src/server/checkin/sync/undo-check-in.test.ts',
    title: 'does not undo a scan that is being synced',
    failure: '+     "status": 200',
    edits: [
      {
        file: 'src/server/checkin/sync/scans.sql.ts',
        find: ".select('id')\n    .forNoKeyUpdate()",
        replace: ".select('id')",
      },
    ],
  },
  {
    between: 'a scan and a later transfer',
    file: 'src/server/orders/transfers/transfer-ticket.test.ts',
    title: 'a scan that comes first keeps the ticket where it is',
    failure: 'to match object { status:',
    edits: [
      {
        file: 'src/server/orders/core/transfers.sql.ts',
        find: "'transferredCount', 'buyerEmail'])\n    .forUpdate()",
        replace: "'transferredCount', 'buyerEmail'])",
      },
    ],
  },
  {
    between: 'two skipped passes that come back',
    file: 'src/server/events/waiting-room/absent-passes.test.ts',
    title: 'gets a turn of its own when two come back at once',
    failure: 'expected +0 to be 60000',
    edits: [
      {
        file: 'src/server/events/waiting-room/advance-room.ts',
        find: 'const room = await lockWaitingRoom(tx, eventId);',
        replace:
          "const room = await tx.selectFrom('waitingRooms').where('eventId', '=', eventId).selectAll().executeTakeFirst();",
      },
    ],
  },
  {
    between: 'two refunds',
    file: REFUNDS,
    title: 'holds for two concurrent requests',
    failure: '[ 200, 500 ] to deeply equal [ 200, 409 ]',
    edits: [...editsOf('a ticket is refunded only from the right state and in time'), NOTHING_LEFT],
  },
  {
    between: 'two refunds of one address',
    file: REPEATED,
    title: 'two requests at once are counted one after the other',
    failure: '[ 200, 200 ] to deeply equal [ 200, 409 ]',
    edits: [
      {
        file: 'src/server/payments/refunds/repeat-refunds.ts',
        find: 'await lockRefunders(tx, order);',
        replace: '',
      },
    ],
  },
  {
    between: 'two operators who send evidence',
    file: 'src/server/backoffice/disputes/evidence.test.ts',
    title: 'is sent once by two processes at once',
    failure: 'to have a length of 1 but got',
    edits: [
      {
        file: 'src/server/backoffice/disputes/evidence.sql.ts',
        find: 'where dispute_evidence.sent_at is null\n       and dispute_evidence.attempted_at < business_now() - make_interval(mins => ${SENDING_MINUTES}::integer)',
        replace: '',
      },
    ],
  },
  {
    between: 'two responses to one refund',
    file: REFUNDS,
    title: 'records the refund once for two concurrent responses',
    failure: 'expected +0 to be 1',
    edits: editsOf('a refund is recorded once'),
  },
  {
    between: 'a refund in the Stripe dashboard and a later request by the buyer',
    file: OUTSIDE,
    title: 'denies a refund request that arrives during the sync',
    failure: '+     "requested ',
    edits: [
      ...editsOf('a ticket is refunded only from the right state and in time'),
      NOTHING_LEFT,
      {
        file: 'src/server/payments/payments.functions.sql',
        find: "raise exception 'order % would refund more than was paid', new.order_id;",
        replace: 'null;',
      },
    ],
  },
  {
    between: "two webhooks of a refund in the Stripe dashboard, after the buyer's request",
    file: OUTSIDE,
    title: 'is recorded once when synced twice after a refund request',
    failure: '+     "external sent"',
    edits: [
      {
        file: 'src/server/payments/refunds/apply-refunds.ts',
        find: 'if (known) return applyProgress(tx, order, known, refund);',
        replace: 'if (known?.reason !== "external" && known) return applyProgress(tx, order, known, refund);',
      },
      {
        file: 'migrations/0006-payments.sql',
        find: 'create unique index refunds_provider on',
        replace: 'create index refunds_provider on',
      },
    ],
  },
  {
    between: 'a refund and a later payout',
    file: REFUNDS,
    title: 'exclude each other: a refund in progress blocks the payout',
    // Without the guard, the ledger check denies the payout with another message.
    failure: 'payout.books-disagree',
    edits: [
      {
        file: 'src/server/payments/payouts/request-payout.ts',
        find: "if (await hasRefundUnderWay(db, event.id)) throw new AppError('payout.refunds-under-way');",
        replace: 'await hasRefundUnderWay(db, event.id);',
      },
    ],
  },
  {
    between: 'a payout and a later refund',
    file: REFUNDS,
    title: 'exclude each other: a claimed payout denies refunds',
    failure: REFUSED_BY_DATABASE,
    edits: [
      {
        file: REQUEST_REFUND,
        find: "if (event.payoutRequestedAt) throw new AppError('refund.window-closed');",
        replace: '',
      },
    ],
  },
  {
    between: 'two payouts',
    file: 'src/server/payments/payouts/request-payout.test.ts',
    title: 'accepts one of two concurrent requests',
    failure: '[ 200, 200 ] to deeply equal [ 200, 409 ]',
    edits: editsOf('an event has one first payout'),
  },
  {
    between: 'a transfer in flight and a failed retry',
    file: 'tests/money/overtaken-calls.test.ts',
    title: 'pays an organizer once',
    failure: 'to have a length of 1 but got 2',
    edits: NEW_KEY_AT_ONCE,
  },
  {
    between: 'a refund in flight and a failed retry',
    file: 'tests/money/overtaken-calls.test.ts',
    title: 'refunds a buyer once',
    failure: 'to have a length of 1 but got 2',
    edits: NEW_KEY_AT_ONCE,
  },
  {
    between: 'a reversal in flight and a failed retry',
    file: 'tests/money/overtaken-calls.test.ts',
    title: "reverses an organizer's transfer once",
    failure: 'to have a length of 1 but got 2',
    edits: NEW_KEY_AT_ONCE,
  },
  {
    between: 'a transfer in flight and the expiry of its key',
    file: 'tests/money/expiring-idempotency-key.test.ts',
    title: 'is kept, and a late call pays the organizer once',
    failure: 'to have a length of 1 but got 2',
    edits: [
      {
        file: 'src/server/platform/idempotency-keys.sql.ts',
        find: 'SAFE_KEY_AGE_HOURS = 10',
        replace: 'SAFE_KEY_AGE_HOURS = 48',
      },
    ],
  },
  {
    between: 'a checkout and a cancellation',
    file: 'src/server/events/cancel-event.test.ts',
    title: 'is refused when it starts during the cancellation',
    failure: '+   "status": 200',
    edits: [
      {
        file: 'src/server/orders/core/reserve.functions.sql',
        find: 'order by e.id for share of e',
        replace: 'order by e.id',
      },
      // The order of service excludes the two as well.
      {
        file: 'src/server/orders/core/reserve.functions.sql',
        find: 'perform pg_advisory_xact_lock_shared(sales_lock, key)',
        replace: 'perform key',
      },
    ],
  },
  {
    between: 'a checkout and a move of the event',
    file: 'src/server/payments/checkout/changed-event.test.ts',
    title: 'waits for an edit that is being saved, and then says what it changed',
    failure: "expected { version: undefined, what: undefined } to deeply equal { version: 2, what: [ 'date' ] }",
    edits: [
      {
        file: 'src/server/orders/core/reserve.functions.sql',
        find: '\n             and coalesce(e.page_version = shown.version, true) as sells',
        replace: ' as sells',
      },
    ],
  },
  {
    between: 'an edit and a checkout',
    file: 'src/server/events/change-ticket-types.test.ts',
    title: 'is refused with a message when a concurrent checkout reserves first',
    failure: '+   "status": 200',
    edits: [
      {
        file: 'src/server/events/change-ticket-types.ts',
        find: "if (tooFew)\n    throw new AppError('edit.quantity-below-sold', { name: tooFew.type.name, reserved: tooFew.type.reserved });",
        replace: '',
      },
      // The rule only chooses the message; a database constraint backs it up.
      {
        file: 'migrations/0005-orders.sql',
        find: 'check (reserved between 0 and quantity)',
        replace: 'check (reserved >= 0)',
      },
    ],
  },
  {
    between: 'a waiting organizer and later carts',
    file: 'src/server/orders/reserve-order.test.ts',
    title: 'is served before carts that arrive later at another',
    // The organizer sees both tickets instead of the first one.
    failure: 'expected [ 2, { is: ',
    edits: [
      {
        file: 'src/server/orders/core/reserve.functions.sql',
        find: 'perform pg_advisory_xact_lock_shared(sales_lock, key)',
        replace: 'perform key',
      },
    ],
  },
  {
    between: 'two buyers and the last use of a promo code',
    file: 'src/server/orders/promo-codes/promo-codes.test.ts',
    title: 'go to one of two buyers of different tickets who wait for the last one',
    failure: 'never_overused',
    edits: [
      {
        file: 'src/server/orders/core/reserve.functions.sql',
        find: 'order by c.id for no key update of c\n    loop\n      promo_left',
        replace: 'order by c.id\n    loop\n      promo_left',
      },
    ],
  },
  {
    between: 'two free orders of one address',
    file: 'src/server/orders/free-orders/free-orders.test.ts',
    title: 'gets them once, also when two of its orders are confirmed at the same time',
    failure: "[ 'confirmed', 'confirmed' ] to deeply equal",
    edits: [
      {
        file: 'src/server/orders/free-orders/complete-free-order.ts',
        find: 'await lockAddress(tx, { eventId, email });',
        replace: '',
      },
    ],
  },
  {
    between: 'the webhook and the confirmation page',
    file: 'src/server/payments/checkout/fulfill-order.test.ts',
    title: 'is fulfilled once by webhook and page at the same time',
    // Two or three tickets, because the reconciler may fulfill the order as well.
    failure: 'to have a length of 1 but got ',
    edits: editsOf('an order is locked while it is completed'),
  },
  {
    between: 'the end of a reservation and its payment',
    file: 'src/server/payments/checkout/checkout.test.ts',
    title: 'stay with a buyer who paid at the last moment',
    failure: 'expected +0 to be 1',
    edits: [
      {
        file: 'src/server/payments/checkout/close-checkouts.ts',
        find: 'const session = await deps.paymentProcessor.closeCheckout(sessionId);',
        replace: "const session = sessionId === '' ? await deps.paymentProcessor.closeCheckout(sessionId) : null;",
      },
    ],
  },
  {
    between: 'two uses of an affiliate code',
    file: 'src/server/accounts/affiliates/affiliates.test.ts',
    title: 'is redeemed by one of two concurrent requests',
    failure: '[ 200, 200 ] to deeply equal [ 200, 409 ]',
    edits: [
      {
        file: 'src/server/accounts/affiliates/affiliates.sql.ts',
        find: 'and event_id is null\n       and owner_id',
        replace: 'and owner_id',
      },
    ],
  },
  {
    between: 'two affiliate codes for one token',
    file: 'src/server/accounts/affiliates/affiliates.test.ts',
    title: 'is created and charged once for concurrent requests',
    failure: '[ 200, 500 ] to deeply equal [ 200, 409 ]',
    edits: [
      {
        file: 'src/server/accounts/affiliates/affiliates.sql.ts',
        find: ".select('tokenCount')\n    .forNoKeyUpdate()",
        replace: ".select('tokenCount')",
      },
    ],
  },
  {
    between: 'two new API keys when one more is allowed',
    file: 'src/server/accounts/api-keys/api-keys.test.ts',
    title: 'is one of ten at most, of two that are made at once as well',
    failure: '[ 200, 200 ] to deeply equal [ 200, 409 ]',
    edits: [
      {
        file: 'src/server/accounts/organizations.sql.ts',
        find: ".select('id')\n    .forNoKeyUpdate()\n    .executeTakeFirst();\n  return organization",
        replace: ".select('id')\n    .executeTakeFirst();\n  return organization",
      },
    ],
  },
  {
    between: 'two new events when the plan allows one more',
    file: 'src/server/events/events.test.ts',
    title: 'lets only one of two concurrent requests create the second event',
    failure: '[ 200, 200 ] to deeply equal [ 200, 409 ]',
    edits: [
      {
        file: 'src/server/accounts/organizations.sql.ts',
        find: ".select('id')\n    .forNoKeyUpdate()\n    .executeTakeFirst();\n  return organization",
        replace: ".select('id')\n    .executeTakeFirst();\n  return organization",
      },
    ],
  },
  {
    between: 'two sign-ups for one address',
    file: 'src/server/accounts/accounts.test.ts',
    title: 'lets one of two concurrent registrations for the same email win',
    failure: REFUSED_BY_DATABASE,
    edits: [
      {
        file: 'src/server/accounts/accounts.sql.ts',
        find: 'await sql`select pg_advisory_xact_lock(${lockNamespaces.emailAddress}::int, hashtext(lower(${email})))`.execute(db);',
        replace: 'await sql`select ${email}::text`.execute(db);',
      },
      {
        file: 'src/server/accounts/accounts.sql.ts',
        find: '.onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())\n    .returning',
        replace: '.returning',
      },
    ],
  },
];

/** Proves that each invariant detects its violation: plants it in a healthy app, and undoes it. */
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#server/checkin/check-guest.ts';
import { requestPayout } from '#server/payments/payouts/request-payout.ts';
import { requestRefund } from '#server/payments/refunds/request-refund.ts';
import { inTransaction } from '#server/platform/database.ts';
import { organizerOf } from '#tests/support/actor-of.ts';
import { heal } from '#tests/support/heal.ts';
import { brokenInvariants, invariants } from '#tests/support/invariants.ts';
import { advanceTo, settlementOf } from '#tests/support/money.ts';
import { buyTickets, eventOnSale } from '#tests/support/people.ts';
import { stripeDiscrepancies } from '#tests/support/stripe-discrepancies.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
/** One event sold and paid out, one on sale with a refund and a scanned ticket, one cancelled. */
let ids: Record<'paidOut' | 'onSale' | 'cancelled', string>;

beforeAll(async () => {
  app = await startTestApp();
  ids = { paidOut: await paidOutEvent(), onSale: await eventWithGuests(), cancelled: await cancelledEvent() };
  await heal(app);
});
afterAll(() => app.close());

async function paidOutEvent(): Promise<string> {
  const { eventId } = await eventOnSale(app);
  await buyTickets(app, eventId, [{ ticketName: 'Balcony', quantity: 3 }]);
  await advanceTo(app, new Date((await settlementOf(app, eventId)).getTime() + 1000));
  await requestPayout(app.deps, await organizerOf(app.db, eventId), eventId);
  return eventId;
}

async function eventWithGuests(): Promise<string> {
  const { eventId } = await eventOnSale(app);
  const { confirmationData } = await buyTickets(app, eventId, [{ ticketName: 'Balcony', quantity: 4 }]);
  const [first, second] = confirmationData.map(({ confirmationNumber }) => confirmationNumber);
  await requestRefund(app.deps, { eventId, confirmationCode: first ?? '', ip: '127.0.0.1' });
  const deviceId = '00000000-0000-7000-8000-000000000001';
  expect(await checkGuest(app.deps, { eventId, deviceId, isMember: false }, second ?? '')).toMatchObject({
    status: 'admitted',
  });
  return eventId;
}

async function cancelledEvent(): Promise<string> {
  const { eventId } = await eventOnSale(app);
  await buyTickets(app, eventId, [{ ticketName: 'General admission', quantity: 2 }], 'Kim@Example.com');
  await buyTickets(app, eventId, [{ ticketName: 'General admission', quantity: 1 }], 'sam@example.com');
  const { cancelEvent } = await import('#server/events/cancel-event.ts');
  await cancelEvent(app.deps, await organizerOf(app.db, eventId), eventId);
  return eventId;
}

type Planting = (events: typeof ids) => string;

const one = (table: string, where: string) => `(select id from ${table} where ${where} limit 1)`;

/** A part of the payout that was due yesterday. */
const heldBack = (eventId: string, paidBy: string) =>
  `insert into payout_reserves (event_id, id, payout_id, kind, cents, due_at, paid_by)
   select event_id, gen_random_uuid(), id, 'rest', 5, now() - interval '1 day', ${paidBy} from payouts where event_id = '${eventId}'`;

/** For each invariant, a write that violates it. Triggers are off, because they would prevent it. */
const PLANTED: Record<string, Planting> = {
  'each-transfer-kept-the-number': ({ onSale }) =>
    `update tickets set transferred_count = 1 where id = ${one('tickets', `event_id = '${onSale}'`)}`,
  'former-numbers-are-of-no-ticket': ({ onSale }) =>
    `insert into former_numbers select event_id, confirmation_number, id, now() from tickets where event_id = '${onSale}' limit 1`,
  'ledger-transactions-sum-to-0': ({ paidOut }) =>
    `update ledger_entries set cents = cents + 1 where account = 'processor' and kind = 'sale' and event_id = '${paidOut}'`,
  'movements-are-booked-once': () =>
    `insert into ledger_entries select event_id, gen_random_uuid(), 'operator', cents, kind, subject_id, created_at
       from ledger_entries where kind = 'sale' and account = 'processor' limit 1`,
  'paid-orders-are-booked': () => `delete from ledger_entries where kind = 'sale'`,
  'refunds-are-booked': ({ onSale }) => `update refunds set state = 'claimed' where event_id = '${onSale}'`,
  'payouts-are-booked': () => `delete from ledger_entries where kind = 'payout'`,
  'disputes-are-booked': ({ onSale }) =>
    `insert into disputes (event_id, id, order_id, stripe_dispute_id, cents, state, reason, opened_at)
     select event_id, gen_random_uuid(), id, 'du_1', 100, 'open', 'fraudulent', now() from orders where event_id = '${onSale}'`,
  'nobody-gets-more-than-is-owed': ({ paidOut }) =>
    `insert into ledger_entries values
       ('${paidOut}', gen_random_uuid(), 'organizer-payable', 9900000, 'write-off', gen_random_uuid(), now())`,
  'no-more-is-deducted-than-is-owed': ({ paidOut }) =>
    `insert into ledger_entries values ('${paidOut}', gen_random_uuid(), 'receivables', -1, 'write-off', gen_random_uuid(), now())`,
  'a-payout-leaves-nothing': ({ paidOut }) =>
    `update ledger_entries set cents = cents - 5 where kind = 'payout' and account = 'organizer-payable' and event_id = '${paidOut}'`,
  'payouts-hold-back-what-they-say': ({ paidOut }) =>
    `update payouts set statement = statement || '{"held": [{"cents": 5}]}' where event_id = '${paidOut}'`,
  'what-is-taken-was-held-back': ({ paidOut }) =>
    `${heldBack(paidOut, 'null')}; update payout_reserves set taken_cents = 1`,
  'what-was-held-back-is-paid-once': ({ paidOut }) => heldBack(paidOut, 'id'),
  'what-was-held-back-is-paid-when-due': ({ paidOut }) => heldBack(paidOut, 'null'),
  'refund-costs-are-the-lost-fees': ({ paidOut }) =>
    `insert into ledger_entries values
       ('${paidOut}', gen_random_uuid(), 'card-fees', -5, 'refund-costs', gen_random_uuid(), now())`,
  'paid-out-and-refunded-within-collected': ({ paidOut }) =>
    `update payouts set cents = 999999 where event_id = '${paidOut}'`,
  'stock-is-what-exists': ({ onSale }) =>
    `update ticket_types set reserved = reserved + 1 where event_id = '${onSale}'`,
  'capacities-are-their-members': ({ onSale }) =>
    `insert into shared_capacities (event_id, id, position, name, capacity, reserved)
     values ('${onSale}', gen_random_uuid(), 0, 'Hall', 10, 1)`,
  'members-are-marked': ({ onSale }) => `update ticket_types set shares_capacity = true where event_id = '${onSale}'`,
  'drafts-have-no-orders': ({ onSale }) => `update events set published_at = null where id = '${onSale}'`,
  'promo-uses-are-tickets': ({ onSale }) =>
    `insert into promo_codes (event_id, id, code, key, kind, value, is_for_all, uses, created_at)
     values ('${onSale}', gen_random_uuid(), 'LOST', '10ST', 'percent', 2000, true, 1, now())`,
  'orders-have-links-of-their-event': ({ onSale }) =>
    `update orders set link_id = gen_random_uuid() where event_id = '${onSale}'`,
  'discounts-have-a-code': () => `update order_lines set discount_cents = 1, list_price_cents = list_price_cents + 1`,
  'comps-are-given-by-members': ({ onSale }) => `update order_lines set source = 'comp' where event_id = '${onSale}'`,
  'comps-are-issued': ({ onSale }) =>
    `insert into comp_batches (event_id, id, request_hash, is_import, tickets, created_at, completed_at)
     values ('${onSale}', gen_random_uuid(), '', false, 2, now(), now())`,
  'free-orders-are-proved': ({ onSale }) =>
    `update orders set session_id = 'free_' || session_id where event_id = '${onSale}' and session_id is not null`,
  'names-are-at-their-tickets': ({ onSale }) =>
    `insert into order_guests (event_id, order_id, position, name, answers)
     select event_id, order_id, 1, 'Sofia', '{}' from tickets where event_id = '${onSale}' limit 1`,
  'tickets-are-the-paid-lines': ({ onSale }) =>
    `delete from tickets where id = ${one('tickets', `event_id = '${onSale}' and state = 'valid'`)}`,
  'orders-are-their-lines': () => `update order_lines set unit_price_cents = unit_price_cents + 1`,
  'ticket-states-agree-with-refunds': ({ onSale }) =>
    `update tickets set state = 'valid' where event_id = '${onSale}' and state = 'refunded'`,
  'ticket-states-agree-with-stamps': ({ onSale }) =>
    `update tickets set scanned_by = null where event_id = '${onSale}' and state = 'scanned'`,
  'offline-scans-agree-with-tickets': ({ onSale }) =>
    `insert into offline_scans
     select event_id, gen_random_uuid(), gen_random_uuid(), id, now(), now(), 'first'
       from tickets where event_id = '${onSale}' and state = 'valid' limit 1`,
  'scanned-tickets-keep-their-money': ({ onSale }) =>
    `update tickets set state = 'refunding' where event_id = '${onSale}' and state = 'scanned'`,
  'early-check-ins-are-recorded': ({ onSale }) => `delete from early_check_ins where event_id = '${onSale}'`,
  'early-check-ins-are-emailed': () => `delete from email_outbox where kind = 'early-check-in'`,
  'objections-come-before-payouts': ({ paidOut }) =>
    `with used as (update tickets set state = 'scanned', scanned_at = now(), scanned_by = gen_random_uuid()
                    where id = ${one('tickets', `event_id = '${paidOut}'`)} returning event_id, id)
     insert into early_check_ins (event_id, id, ticket_id, scanned_at, recorded_at, objected_at)
     select event_id, gen_random_uuid(), id, now(), now(), now() - interval '9 days' from used`,
  'ticket-totals-equal-a-count': ({ onSale }) =>
    `update tickets set state = 'valid', scanned_at = null, scanned_by = null where event_id = '${onSale}' and state = 'scanned'`,
  'ticket-hours-equal-a-count': ({ onSale }) =>
    `update tickets set issued_at = issued_at - interval '3 hours' where event_id = '${onSale}' and counts_as_sold(state)`,
  'refunds-are-the-price-paid': ({ onSale }) => `update refunds set cents = cents - 1 where event_id = '${onSale}'`,
  'orders-refund-no-more-than-was-paid': ({ onSale }) =>
    `update refunds set cents = 9900000 where event_id = '${onSale}'`,
  'one-payout-per-event-and-number': ({ paidOut }) =>
    `insert into payouts (event_id, id, seq, cents, statement, account_id, requested_at)
     select event_id, gen_random_uuid(), seq, cents, statement, account_id, requested_at from payouts where event_id = '${paidOut}'`,
  'cancelled-events-are-never-paid-out': ({ paidOut }) =>
    `update events set cancelled_at = now() where id = '${paidOut}'`,
  'payouts-close-their-event': ({ paidOut }) => `update events set payout_requested_at = null where id = '${paidOut}'`,
  'payouts-come-a-day-after-the-end': () => `update payouts set requested_at = requested_at - interval '30 hours'`,
  'refunds-come-before-payouts': ({ paidOut }) =>
    `insert into refunds (event_id, id, order_id, ticket_id, cents, reason, created_at, send_after)
     select event_id, gen_random_uuid(), order_id, id, price_cents, 'requested', now() + interval '400 days', now()
       from tickets where event_id = '${paidOut}' limit 1`,
  'paid-orders-have-one-email': () => `delete from email_outbox where kind = 'tickets'`,
  'only-paid-orders-have-an-email': () =>
    `update email_outbox set subject_id = gen_random_uuid()::text where kind = 'tickets'`,
  'buyers-of-a-cancelled-event-have-one-email': () => `delete from email_outbox where kind = 'event-cancelled'`,
  'holds-end': ({ onSale }) =>
    `update orders set state = 'reserved', reservation_expires_at = now() - interval '1 hour' where event_id = '${onSale}'`,
  'webhook-events-are-processed': () => `update webhook_events set processed_at = null`,
  'email-is-sent': () => `update email_outbox set state = 'queued'`,
  'refunds-are-sent': ({ onSale }) =>
    `update refunds set state = 'claimed', send_after = now() where event_id = '${onSale}'`,
  'reversals-are-settled': ({ paidOut }) =>
    `insert into transfer_reversals (event_id, id, order_id, dispute_id, payout_id, gross_cents, fees_cents, created_at)
     select p.event_id, gen_random_uuid(), o.id, gen_random_uuid(), p.id, 100, 1, now() - interval '1 day'
       from payouts p join orders o on o.event_id = p.event_id where p.event_id = '${paidOut}'`,
  'cancelled-events-refund-everyone': ({ cancelled }) =>
    `update tickets set state = 'valid' where event_id = '${cancelled}'`,
  'ended-disputes-are-returned': ({ paidOut }) =>
    `insert into disputes (event_id, id, order_id, stripe_dispute_id, cents, state, reason, opened_at, closed_at, excluded_from)
     select o.event_id, gen_random_uuid(), o.id, 'du_1', 100, 'won', 'fraudulent', now(), now(), p.id
       from orders o join payouts p on p.event_id = o.event_id where o.event_id = '${paidOut}'`,
};

/** Runs `check` on the planted state, then rolls back. */
async function found(planted: string, check: (db: TestApp['db']) => Promise<string[]>): Promise<string[]> {
  let seen: string[] = [];
  const undone = new Error('rolled back');
  const run = (db: TestApp['db'], statement: string) => db.executeQuery(CompiledQuery.raw(statement));
  // Retried after a deadlock: it locks every table, and a scheduled job may hold some of them.
  await inTransaction(app.db, async (tx) => {
    // Disables foreign keys and triggers, which would reject most of these writes.
    await run(tx, "set local session_replication_role = 'replica'");
    await run(tx, 'alter table payouts drop constraint payouts_event_id_seq_key');
    await run(tx, 'drop index ledger_once');
    for (const constraint of await checksOf(tx)) await run(tx, constraint);
    await run(tx, planted);
    seen = await check(tx);
    throw undone;
  }).catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return seen;
}

async function checksOf(db: TestApp['db']): Promise<string[]> {
  const { rows } = await db.executeQuery<{ statement: string }>(
    CompiledQuery.raw(`select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
      from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace and conrelid <> 0`),
  );
  return rows.map(({ statement }) => statement);
}

describe('the invariants', () => {
  it('hold after a sale, a refund, a cancelled event and a payout', async () => {
    expect(await brokenInvariants(app.db)).toEqual([]);
    expect(await stripeDiscrepancies(app)).toEqual([]);
  });

  it.each(invariants.map(({ name }) => name))('%s detects its violation', async (name) => {
    const planted = PLANTED[name];
    if (!planted) throw new Error(`no violation is planted for ${name}`);

    const seen = await found(planted(ids), brokenInvariants);

    expect(seen.map((line) => line.split(':')[0])).toContain(name);
  });

  it.each([
    ['is missing', `delete from email_outbox where id = ${one('email_outbox', `kind = 'event-cancelled'`)}`],
    [
      'was sent twice',
      `insert into email_outbox (id, kind, subject_id, to_address, created_at, sent_at, state)
       select gen_random_uuid(), kind, split_part(subject_id, ' ', 1) || ' ' || gen_random_uuid(), '', now(), now(), 'sent'
         from email_outbox where kind = 'event-cancelled' limit 1`,
    ],
  ])(
    'an email to buyers of a cancelled event that %s is detected after all addresses are purged',
    async (_what, fault) => {
      const purged = `update email_outbox set to_address = '', subject_id = split_part(subject_id, ' ', 1) || ' ' || id
                     where kind = 'event-cancelled'`;

      expect(await found(purged, brokenInvariants)).toEqual([]);
      expect(await found(`${purged}; ${fault}`, brokenInvariants)).toEqual([
        expect.stringMatching(/^buyers-of-a-cancelled-event-have-one-email: /),
      ]);
    },
  );
});

describe('reconciliation with Stripe', () => {
  it.each([
    ['a session', `update orders set state = 'expired' where state = 'paid'`],
    ['a refund', `update refunds set stripe_refund_id = 're_of_' || id where stripe_refund_id is not null`],
    ['a transfer', `update payouts set cents = cents - 1`],
    ['a transfer', `update payouts set transfer_id = 'tr_other'`],
    ['the balance', `update ledger_entries set cents = cents + 1 where account = 'processor'`],
  ])('detects %s that differs: %s', async (what, planted) => {
    const seen = await found(planted, (db) => stripeDiscrepancies({ ...app, db }));

    expect(seen.join('\n')).toContain(what.split(' ')[1]);
  });
});

import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { runEverything } from '#tests/support/heal.ts';
import {
  advanceTo,
  clearFaults,
  ledgerOf,
  movementsAtStripe,
  openPayout,
  planFault,
  postWebhook,
  simulateAtBank,
  stripeObjectsOf,
  webhookEventsOf,
} from '#tests/support/money.ts';
import { buyTickets, eventForm, eventOnSale, logInAgain } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const TRANSFERS = { method: 'POST', path: '/v1/transfers' };
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];
const at = (ticketPrice: number) => ({
  tickets: [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice, ticketQuantity: 100 }],
});

const request = ({ visitor, eventId }: Event) => visitor.call(requestPayout, { eventId });
const paid = (totalPayout: number) => ({ status: 200, body: { totalPayout } });
const transfersOf = ({ eventId }: Event) => movementsAtStripe(app, 'transfer', eventId);
const payoutsOf = ({ eventId }: Event) =>
  app.db.selectFrom('payouts').where('eventId', '=', eventId).selectAll().orderBy('seq').execute();
const accountOf = async ({ email }: Event) => {
  const { rows } = await sql<{ id: string }>`
    select id from sandbox.objects where kind = 'v2.core.account' and body->>'contact_email' = ${email}`.execute(
    app.db,
  );
  return rows[0]?.id ?? '';
};

async function sumOf({ eventId }: Event, account: string): Promise<number> {
  const lines = (await ledgerOf(app, eventId)).filter((line) => line.includes(` ${account} `));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Two orders at $40: one with two tickets, then one with one ticket, which will be disputed. */
async function twoOrders(event: Event): Promise<{ disputed: string }> {
  await buyTickets(app, event.eventId, seats(2), 'two@example.com');
  await buyTickets(app, event.eventId, seats(1), 'one@example.com');
  await app.settle();
  const disputed = (await stripeObjectsOf(app, 'payment_intent', event.eventId)).at(-1)?.id ?? '';
  return { disputed };
}

async function dispute(payment_intent: string): Promise<string> {
  const { id } = await simulateAtBank(app, 'disputes', { payment_intent });
  await app.settle();
  return id;
}

async function end(disputeId: string, become: 'won' | 'lost'): Promise<void> {
  await simulateAtBank(app, `disputes/${disputeId}`, { become });
  await app.settle();
  await runEverything(app);
}

describe('a waiting payout', () => {
  it('case 41: of money from late sales goes out once, when Stripe reports the funds as available', async () => {
    // The first sale of this app, so that Stripe has no other funds to use.
    const event = await eventOnSale(app, at(40));
    const { endsAt } = await app.db
      .selectFrom('events')
      .where('id', '=', event.eventId)
      .select('endsAt')
      .executeTakeFirstOrThrow();
    await advanceTo(app, new Date(endsAt.getTime() - 60_000));
    await buyTickets(app, event.eventId, seats(1));
    await openPayout(app, event);

    expect(await request(event)).toMatchObject(paid(23.45));
    expect(await payoutsOf(event)).toMatchObject([{ state: 'awaiting-funds' }]);
    // Retried repeatedly, so that the key never gets old enough to be kept until it expires.
    for (const hours of [0, 8, 8]) {
      await app.advance({ hours });
      await runEverything(app);
      expect(await transfersOf(event)).toEqual([]);
    }

    await app.advance({ hours: 9 });
    await app.settle();
    expect(await payoutsOf(event)).toMatchObject([{ state: 'paid' }]);
    await runEverything(app);
    expect(await transfersOf(event)).toMatchObject([{ amount: 23_45 }]);
  });

  it('case 42: after a lost response is retried under its key, and found by its transfer group when the key is old', async () => {
    const soon = await eventOnSale(app, at(40));
    const late = await eventOnSale(app, at(40));
    for (const { eventId } of [soon, late]) await buyTickets(app, eventId, seats(1));
    await openPayout(app, soon);
    await logInAgain(late);

    await planFault(app, { match: TRANSFERS, mode: 'drop_after', times: 1 });
    expect(await request(soon)).toMatchObject(paid(23.45));
    expect(await payoutsOf(soon)).toMatchObject([{ state: 'paid' }]);

    await planFault(app, { match: TRANSFERS, mode: 'drop_after', times: 3 });
    expect(await request(late)).toMatchObject(paid(23.45));
    expect(await payoutsOf(late)).toMatchObject([{ state: 'requested' }]);
    await clearFaults(app);
    // From here on a second call would make a second transfer, because Stripe has dropped the key.
    await planFault(app, { match: TRANSFERS, mode: 'error_before', times: 100 });
    await app.advance({ hours: 25 });
    await runEverything(app);

    expect(await payoutsOf(late)).toMatchObject([{ state: 'paid' }]);
    for (const event of [soon, late]) expect(await transfersOf(event)).toMatchObject([{ amount: 23_45 }]);
  });

  it('case 46: to an account closed meanwhile says why, and the money stays in place', async () => {
    const closed = await eventOnSale(app, at(40));
    const restricted = await eventOnSale(app, at(40));
    for (const { eventId } of [closed, restricted]) await buyTickets(app, eventId, seats(1));
    await openPayout(app, closed);
    await logInAgain(restricted);
    await planFault(app, { match: TRANSFERS, mode: 'error_before', times: 100 });
    for (const event of [closed, restricted]) expect(await request(event)).toMatchObject(paid(23.45));
    await simulateAtBank(app, `accounts/${await accountOf(closed)}`, { status: 'closed' });
    await simulateAtBank(app, `accounts/${await accountOf(restricted)}`, { status: 'restricted' });
    await clearFaults(app);
    await runEverything(app);

    for (const event of [closed, restricted]) {
      expect(await payoutsOf(event)).toMatchObject([{ state: 'awaiting-account', failureReason: expect.any(String) }]);
      expect(await transfersOf(event)).toEqual([]);
      expect(await sumOf(event, 'organizer-payable')).toBe(-40_00);
      const { body } = await event.visitor.call(profile, {});
      expect(body.events[0]?.payout.state).toBe('awaiting-account');
    }
    await simulateAtBank(app, `accounts/${await accountOf(restricted)}`, { status: 'active' });
    await app.settle();
    await runEverything(app);
    expect(await transfersOf(restricted)).toMatchObject([{ amount: 23_45 }]);
    expect(await transfersOf(closed)).toEqual([]);
  });

  it('case 46: does not start for a closed account', async () => {
    const event = await eventOnSale(app, at(40));
    await buyTickets(app, event.eventId, seats(1));
    await openPayout(app, event);
    await simulateAtBank(app, `accounts/${await accountOf(event)}`, { status: 'closed' });

    expect(await request(event)).toMatchObject({ status: 409, body: { code: 'payout-account.no-payout-account' } });
    expect(await payoutsOf(event)).toEqual([]);
  });
});

describe('a dispute', () => {
  it.each([
    ['won, and then paid as a second part', 'won', [61_90, 38_45]],
    ['lost, and is never paid', 'lost', [61_90]],
  ] as const)('case 43: before the payout is left out of it until it is %s', async (_what, become, amounts) => {
    const event = await eventOnSale(app, at(40));
    const { disputed } = await twoOrders(event);
    const disputeId = await dispute(disputed);
    await openPayout(app, event);

    // 2 x $40.00, less 2 x $1.55 and $15.00.
    expect(await request(event)).toMatchObject(paid(61.9));
    await end(disputeId, become);
    await end(disputeId, become).catch(() => {});

    expect((await transfersOf(event)).map(({ amount }) => amount).sort()).toEqual([...amounts].sort());
    expect((await payoutsOf(event)).map(({ seq, cents, state }) => ({ seq, cents, state }))).toEqual(
      amounts.map((cents, index) => ({ seq: index + 1, cents, state: 'paid' })),
    );
    expect(await sumOf(event, 'organizer-payable')).toBe(0);
    const tickets = await app.db.selectFrom('tickets').where('eventId', '=', event.eventId).select('state').execute();
    expect(tickets.filter(({ state }) => state === 'void')).toHaveLength(become === 'lost' ? 1 : 0);
  });

  it("case 44: after the payout reverses the organizer's share, once", async () => {
    const event = await eventOnSale(app, at(40));
    const { disputed } = await twoOrders(event);
    await openPayout(app, event);
    expect(await request(event)).toMatchObject(paid(100.35));

    await dispute(disputed);
    for (const { payload } of await webhookEventsOf(app, disputed, 'charge.dispute.created'))
      await postWebhook(app, payload);
    await runEverything(app);

    expect(await reversalsOf(event)).toEqual([38_45]);
    expect(await reversalRows(event)).toMatchObject([{ state: 'reversed', grossCents: 40_00, feesCents: 1_55 }]);
  });

  it('case 44: after the account was emptied becomes a debt, which the next payout deducts', async () => {
    const event = await eventOnSale(app, at(40));
    const made = await event.visitor.call(createEvent, eventForm(app, at(40)));
    const next = { ...event, eventId: made.body.eventId };
    const { disputed } = await twoOrders(event);
    await buyTickets(app, next.eventId, seats(3));
    await openPayout(app, event);
    expect(await request(event)).toMatchObject(paid(100.35));
    // Stripe has sent everything on to the organizer's bank.
    await app.advance({ days: 2 });

    await dispute(disputed);
    await runEverything(app);
    expect(await reversalsOf(event)).toEqual([]);
    expect(await reversalRows(event)).toMatchObject([{ state: 'receivable' }]);

    await logInAgain(next);
    // $100.35, less $38.45.
    expect(await request(next)).toMatchObject(paid(61.9));
    expect(await request(next)).toMatchObject({ status: 409, body: { code: 'payout.already-paid-out' } });
    expect(await transfersOf(next)).toMatchObject([{ amount: 61_90 }]);
    expect((await sumOf(event, 'receivables')) + (await sumOf(next, 'receivables'))).toBe(0);
  });
});

const reversalRows = ({ eventId }: Event) =>
  app.db.selectFrom('transferReversals').where('eventId', '=', eventId).selectAll().execute();

async function reversalsOf({ eventId }: Event): Promise<number[]> {
  const { rows } = await sql<{ amount: number }>`
    select (r.body->>'amount')::int as amount from sandbox.objects r
      join sandbox.objects t on t.id = r.body->>'transfer'
     where r.kind = 'transfer_reversal' and t.body->'metadata'->>'event_id' = ${eventId}`.execute(app.db);
  return rows.map(({ amount }) => amount);
}

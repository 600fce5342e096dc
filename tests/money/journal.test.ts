/** The journal of an event in which everything happened to the money, against its statement and Stripe. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeOffReceivable } from '#contract/app/action-items.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { eventMoney } from '#contract/app/records/workspace.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import {
  balancesOf,
  decideDispute,
  disputePayment,
  fillBalance,
  moneyErrorsExceptWebhooks,
} from '#tests/support/disputes.ts';
import { runEverything } from '#tests/support/heal.ts';
import { checkJournal, type Journal, journalOf, sumOf } from '#tests/support/journal.ts';
import { movementsAtStripe, openPayout, stripeObjectsOf, stripeOf } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventOnSale, expectOk, logInAgain, newOrganizer } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const TITLE = '=1+1';
const SEAT = { ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 24.35, ticketQuantity: 100 };

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

/** Payments of the event, in the order of their purchase: what each is for is in its name. */
const BOUGHT = { refunded: 3, partly: 2, lost: 1, reversed: 2, debt: 2, kept: 4 };
type Bought = keyof typeof BOUGHT;
const which = (bought: Bought) => Object.keys(BOUGHT).indexOf(bought);

/** Pays the whole balance of the organizer's account out to their bank, so that nothing can be reversed. */
async function emptyAccountOf({ email }: Seller): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from sandbox.objects where kind = 'v2.core.account' and body->>'contact_email' = ${email}`.execute(
    app.db,
  );
  const stripeAccount = rows[0]?.id ?? '';
  const { available } = await stripeOf(app).balance.retrieve({}, { stripeAccount });
  const amount = available[0]?.amount ?? 0;
  if (amount > 0) await stripeOf(app).payouts.create({ amount, currency: 'usd' }, { stripeAccount });
}

/** Sales, a refund, a refund of an amount, a lost dispute, a payout, a reversed transfer, its return, a debt and its write-off. */
async function everythingHappens(): Promise<Seller> {
  await fillBalance(app);
  const seller = await eventOnSale(app, { title: TITLE, tickets: [SEAT] });
  const { visitor, eventId } = seller;
  const codes: string[] = [];
  for (const [bought, quantity] of Object.entries(BOUGHT)) {
    const items = [{ ticketName: 'Seat', quantity }];
    codes.push(...codesOf(await buyTickets(app, eventId, items, `${bought}@example.com`)));
    await app.settle();
  }
  expectOk(await app.call(requestRefund, { eventId, confirmationCode: codes[0] ?? '' }));
  const payments = await stripeObjectsOf(app, 'payment_intent', eventId);
  await stripeOf(app).refunds.create({ payment_intent: payments[which('partly')]?.id ?? '', amount: 7_01 });
  await decideDispute(app, await disputePayment(app, eventId, { which: which('lost') }), 'lost');
  await runEverything(app);

  await openPayout(app, seller);
  expectOk(await visitor.call(requestPayout, { eventId }));
  await app.settle();
  const reversed = await disputePayment(app, eventId, { which: which('reversed') });
  await decideDispute(app, reversed, 'won');
  await runEverything(app);
  await emptyAccountOf(seller);
  await decideDispute(app, await disputePayment(app, eventId, { which: which('debt') }), 'lost');
  await runEverything(app);
  await writeOff(eventId);
  await app.advance({ hours: 2 });
  await runEverything(app);
  await logInAgain(seller);
  return seller;
}

async function writeOff(eventId: string): Promise<void> {
  const debt = app.db.selectFrom('transferReversals').where('eventId', '=', eventId).where('state', '=', 'receivable');
  const { id } = await debt.select('id').executeTakeFirstOrThrow();
  const operator = await newOrganizer(app);
  await appointAdmin(app.deps, { email: operator.email, isAdmin: true });
  await logInAgain(operator);
  expectOk(await operator.visitor.call(writeOffReceivable, { subject: id, note: 'They have closed down.' }));
}

/** Of the platform's balance, about the event's payments and transfers. */
async function atStripe(eventId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; net: number }>`
    with paid as (select id from sandbox.objects where kind = 'payment_intent' and body->'metadata'->>'event_id' = ${eventId}),
    sent as (select id from sandbox.objects where kind = 'transfer' and body->'metadata'->>'event_id' = ${eventId})
    select b.id, b.net::int as net
      from sandbox.balance_transactions b
      join sandbox.objects o on o.id = b.source
     where b.account is null
       and (o.body->>'payment_intent' in (select id from paid) or o.id in (select id from sent)
            or o.body->>'transfer' in (select id from sent))`.execute(app.db);
  return new Map(rows.map(({ id, net }) => [id, net]));
}

const cents = (dollars: number | undefined) => Math.round((dollars ?? 0) * 100);

describe('The journal of an event', () => {
  let seller: Seller;
  let journal: Journal;
  beforeAll(async () => {
    seller = await everythingHappens();
    journal = await journalOf(seller);
  });

  const of = (account: string, ...kinds: string[]) =>
    journal.entries.filter((row) => row.account === account && (kinds.length === 0 || kinds.includes(row.kind)));

  it('has each entry of the ledger, of each kind that came about [JOURNAL-1]', async () => {
    const { eventId } = seller;
    const ledger = await app.db.selectFrom('ledgerEntries').where('eventId', '=', eventId).selectAll().execute();

    const keyOf = (row: { transactionId: string; account: string; kind: string; cents: number }, at: string) =>
      `${row.transactionId} ${row.account} ${row.kind} ${Number(row.cents)} ${at}`;
    expect(journal.entries.map((row) => keyOf(row, row.at)).sort()).toEqual(
      ledger.map((row) => keyOf(row, row.createdAt.toISOString())).sort(),
    );
    expect(journal.entries.map(({ transactionId }) => transactionId)).toEqual(
      journal.entries.map(({ transactionId }) => transactionId).sort(),
    );
    expect(new Set(journal.entries.map(({ kind }) => kind))).toEqual(
      new Set([
        'sale',
        'card-fee',
        'refund',
        'refund-moved',
        'external-refund',
        'dispute-opened',
        'dispute-lost',
        'dispute-won',
        'payout',
        'transfer-reversal',
        'write-off',
      ]),
    );
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('names what moved the money: an order, a refund, a dispute or a payout [JOURNAL-1]', () => {
    const ids = (kind: string) => {
      const row = journal.entries.find((entry) => entry.kind === kind);
      return (['orderId', 'refundId', 'disputeId', 'payoutId'] as const).filter((id) => row?.[id]);
    };

    expect(ids('sale')).toEqual(['orderId']);
    expect(ids('refund')).toEqual(['orderId', 'refundId']);
    expect(ids('external-refund')).toEqual(['orderId', 'refundId']);
    expect(ids('dispute-lost')).toEqual(['orderId', 'disputeId']);
    expect(ids('payout')).toEqual(['payoutId']);
    expect(ids('transfer-reversal')).toEqual(['orderId', 'disputeId', 'payoutId']);
    expect(ids('write-off')).toEqual(['orderId', 'disputeId', 'payoutId']);
  });

  it('sums up to the statement and to what Stripe transferred, to the cent [JOURNAL-1]', async () => {
    const { payout } = expectOk(await seller.visitor.call(eventMoney, { eventId: seller.eventId })).event;
    const statements = [payout.statement, ...payout.further.map(({ statement }) => statement)];
    const rows = await app.db
      .selectFrom('payouts')
      .where('eventId', '=', seller.eventId)
      .selectAll()
      .orderBy('seq')
      .execute();
    const transfers = await movementsAtStripe(app, 'transfer', seller.eventId);

    expect(statements).toHaveLength(2);
    expect(rows).toHaveLength(2);
    for (const [index, { id, transferId }] of rows.entries()) {
      const statement = statements[index];
      const part = (account: string) => -sumOf(of(account, 'payout').filter(({ payoutId }) => payoutId === id));
      expect(part('processor')).toBe(cents(statement?.net));
      expect(part('processor')).toBe(transfers.find((transfer) => transfer.id === transferId)?.amount);
      expect(part('platform-fees')).toBe(cents(statement?.ticketFees) + cents(statement?.processingFee));
    }
    const isFirst = ({ payoutId }: { payoutId: string }) => payoutId === rows[0]?.id;
    const paidAt = journal.entries.findIndex(isFirst);
    const owed = -sumOf(journal.entries.slice(0, paidAt).filter(({ account }) => account === 'organizer-payable'));
    expect(owed).toBe(cents(statements[0]?.gross) - cents(statements[0]?.deducted));
    expect(-sumOf(of('organizer-payable', 'sale'))).toBe(14 * 24_35);
    const before = (...kinds: string[]) =>
      sumOf(of('organizer-payable', ...kinds).filter((row) => journal.entries.indexOf(row) < paidAt));
    expect(before('refund', 'dispute-lost')).toBe(cents(statements[0]?.refunded));
    expect(before('external-refund')).toBe(cents(statements[0]?.deducted));
    expect(sumOf(of('receivables'))).toBe(0);
    expect(sumOf(of('write-offs'))).toBeGreaterThan(0);
    expect(sumOf(journal.entries)).toBe(0);
  });

  it('has each balance transaction of Stripe once per movement, and its net [JOURNAL-1]', async () => {
    const expected = await atStripe(seller.eventId);
    const named = journal.entries.filter(({ stripeId }) => stripeId);

    const sums = new Map<string, number>();
    for (const { stripeId, cents: moved } of named) sums.set(stripeId, (sums.get(stripeId) ?? 0) + moved);
    expect(sums).toEqual(expected);
    for (const id of ['stripeId', 'paymentId', 'transferId'] as const) {
      const movements = journal.entries.filter((row) => row[id]).map((row) => `${row[id]} ${row.transactionId}`);
      expect(movements).toEqual([...new Set(movements)]);
    }
    const kindsOf = Map.groupBy(named, ({ stripeId }) => stripeId);
    for (const rows of kindsOf.values()) {
      const kinds = rows.map(({ kind }) => kind);
      if (rows.length > 1) expect(kinds.sort()).toEqual(['card-fee', 'sale']);
    }
    expect(new Set(journal.entries.filter((row) => row.paymentId).map(({ account }) => account))).toEqual(
      new Set(['processor']),
    );
    const transfers = await movementsAtStripe(app, 'transfer', seller.eventId);
    expect(new Set(journal.entries.map(({ transferId }) => transferId).filter(Boolean))).toEqual(
      new Set(transfers.map(({ id }) => id)),
    );
  });

  it('proves itself in its footer: sums, rows, hash, and what is compared [JOURNAL-2]', async () => {
    const balances = await balancesOf(app, seller.eventId);
    const values = (record: string) => journal.footer.filter((row) => row.record === record);

    for (const row of values('sum'))
      expect([row.account, row.cents]).toEqual([row.account, balances[row.account] ?? 0]);
    expect(values('sum').map(({ account }) => account)).toEqual(
      [...new Set(journal.entries.map(({ account }) => account))].sort(),
    );
    expect(values('rows').map(({ value }) => value)).toEqual([String(journal.entries.length)]);
    const { until } = await app.db.selectFrom('balanceTransactionCursor').select('until').executeTakeFirstOrThrow();
    expect(values('compared with Stripe up to').map(({ at }) => at)).toEqual([until.toISOString()]);
    expect(values('not compared')).toEqual([]);
    expect(values('differs from Stripe')).toEqual([]);
    expect(values('event').map(({ value }) => value)).toEqual([`'${TITLE}`]);
    expect(await checkJournal(journal.text)).toEqual({
      code: 0,
      said: expect.stringContaining(`matches: ${journal.entries.length} rows`),
    });
  });

  it('has a checker that finds one changed digit, wherever it is, and names the first difference [JOURNAL-2]', async () => {
    const { text } = journal;
    const lines = text.split('\r\n');
    const digits = [...text.matchAll(/\d/g)].map(({ index }) => index);
    const missed: string[] = [];
    for (let at = 0; at < digits.length; at += Math.ceil(digits.length / 60)) {
      const { code } = await checkJournal(changed(text, digits[at] ?? 0));
      if (code !== 1) missed.push(text.slice(0, digits[at]).split('\r\n').at(-1) ?? '');
    }
    expect(missed).toEqual([]);

    const first = journal.entries.findIndex((row) => row.cents > 0);
    const debit = text.indexOf(`"${decimal(journal.entries[first]?.cents ?? 0)}"`);
    expect(await checkJournal(changed(text, debit + 1))).toEqual({
      code: 1,
      said: expect.stringMatching(/^differs: lines \d+ to \d+, transaction [\w-]+: debits and credits differ by \$/),
    });
    const sum = text.indexOf('"sum"');
    const stated = sum + (/\d/.exec(text.slice(sum))?.index ?? 0);
    expect((await checkJournal(changed(text, stated))).said).toMatch(/^differs: line \d+: the sum of [\w-]+, \w+, is /);
    const [row = ''] = lines.slice(1);
    expect((await checkJournal(text.replace(`${row}\r\n`, ''))).said).toMatch(/^differs: /);
    expect((await checkJournal(text.replaceAll('\r\n', '\n'))).said).toMatch(/^differs: line 1 is not written/);
  });
});

/** With another digit there. */
const changed = (text: string, at: number) => text.slice(0, at) + ((Number(text[at]) + 1) % 10) + text.slice(at + 1);
const decimal = (amount: number) => (amount / 100).toFixed(2);

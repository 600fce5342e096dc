import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { journalFile } from '#contract/app/records/journal.ts';
import { journalFile as text } from '#messages/records/journal-file.ts';
import { reconcile } from '#server/payments/reconciliation/reconcile.ts';
import { newId } from '#server/platform/ids.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { checkJournal, journalOf, sumOf } from '#tests/support/journal.ts';
import { buyTickets, eventOnSale, generalAdmission, logInAgain } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const DAY = 24 * 60 * 60 * 1000;

async function reconcileLater(): Promise<void> {
  await app.advance({ minutes: 20 });
  await reconcile(app.deps, new Date(app.now().getTime() - DAY));
  await app.settle();
}

describe('The journal of an event', () => {
  let seller: Awaited<ReturnType<typeof eventOnSale>>;
  beforeAll(async () => {
    seller = await eventOnSale(app);
  });

  const footerOf = async (record: keyof typeof text.records) =>
    (await journalOf(seller)).footer.filter((row) => row.record === text.records[record]);

  it('is a CSV file with the columns of its heading, also before anything is sold [JOURNAL-1]', async () => {
    const reply = await seller.visitor.fetch(journalFile.path.replace(':eventId', seller.eventId));
    const file = Buffer.from(await reply.arrayBuffer()).toString('utf8');

    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Journal of Basement Brass [\d-]+\.csv"/,
    );
    expect(file.split('\r\n')[0]).toBe(`\uFEFF${text.columns.map((name) => `"${name}"`).join(',')}`);
    expect((await journalOf(seller)).entries).toEqual([]);
    expect(await checkJournal(file)).toMatchObject({ code: 0, said: expect.stringContaining('matches: 0 rows') });
  });

  it('is found by its own organization only', async () => {
    const other = await eventOnSale(app);
    const reply = await other.visitor.fetch(journalFile.path.replace(':eventId', seller.eventId));

    expect([reply.status, await reply.json()]).toEqual([404, errorBody('event.not-found')]);
  });

  it('lists what is not compared with Stripe, until it is [JOURNAL-2]', async () => {
    await app.db.deleteFrom('balanceTransactionCursor').execute();
    await buyTickets(app, seller.eventId, generalAdmission(2));
    await app.settle();

    const before = await journalOf(seller);
    const moves = before.entries.filter(({ account }) => account === 'processor');
    expect(moves.map(({ stripeId }) => stripeId)).toEqual(moves.map(() => ''));
    const open = before.footer.filter(({ record }) => record === text.records.notCompared);
    expect(open.map(({ kind, cents, value }) => [kind, cents, value])).toEqual(
      moves.map(({ kind, cents }) => [kind, cents, text.reasons.unread]),
    );
    expect(await footerOf('compared')).toMatchObject([{ at: '', value: text.neverCompared }]);

    await reconcileLater();
    expect(await footerOf('notCompared')).toEqual([]);
    const { until } = await app.db.selectFrom('balanceTransactionCursor').select('until').executeTakeFirstOrThrow();
    expect(await footerOf('compared')).toMatchObject([{ at: until.toISOString(), value: '' }]);
    const after = (await journalOf(seller)).entries.filter(({ account }) => account === 'processor');
    expect(new Set(after.map(({ stripeId }) => stripeId)).size).toBe(1);
  });

  it('says where Stripe and the ledger differ [JOURNAL-2]', async () => {
    const [sale] = (await journalOf(seller)).entries.filter(({ stripeId }) => stripeId);
    const stripeId = sale?.stripeId ?? '';
    await sql`update balance_transactions set net_cents = net_cents + 1 where id = ${stripeId}`.execute(app.db);

    const reasons = (await footerOf('notCompared')).map((row) => [row.kind, row.stripeId, row.value]);
    expect(reasons.sort()).toEqual(
      [
        ['', stripeId, text.reasons.notInLedger],
        ['card-fee', '', text.reasons.otherAmount],
        ['sale', '', text.reasons.otherAmount],
      ].sort(),
    );
    await app.db
      .insertInto('discrepancies')
      .values({
        id: newId(),
        kind: 'payment',
        subject: sale?.paymentId ?? '',
        eventId: seller.eventId,
        cents: 1,
        foundAt: app.now(),
        resolvedAt: null,
      })
      .execute();
    expect(await footerOf('discrepancy')).toMatchObject([{ kind: 'payment', cents: 1, value: sale?.paymentId }]);
  });

  it('has every entry once where there are many, a piece at a time [JOURNAL-1]', async () => {
    const big = await eventOnSale(app);
    await sql`
      with movements as (
        select new_row_id() as transaction_id, gen_random_uuid() as subject_id, n from generate_series(1, 1500) n)
      insert into ledger_entries (event_id, transaction_id, account, cents, kind, subject_id, created_at)
      select ${big.eventId}, transaction_id, account, amount, 'sale', subject_id, business_now()
        from movements cross join lateral (values ('processor', n), ('organizer-payable', -n)) as entries (account, amount)`.execute(
      app.db,
    );
    await logInAgain(big);

    const journal = await journalOf(big);
    const keys = journal.entries.map(({ transactionId, account }) => `${transactionId} ${account}`);
    expect(new Set(keys).size).toBe(3000);
    expect(keys).toHaveLength(3000);
    expect(sumOf(journal.entries)).toBe(0);
    expect(
      new Set(journal.footer.filter(({ record }) => record === text.records.notCompared).map(({ value }) => value)),
    ).toEqual(new Set([text.reasons.noId]));
    expect((await checkJournal(journal.text)).said).toContain('matches: 3000 rows, debits and credits of $11257.50');
  });
});

/** Names and answers are personal data: who sees them, and when they are gone. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { cancelEvent, eventTickets } from '#contract/app/events.ts';
import { deleteMyRecords, myRecords, myRecordsFile } from '#contract/app/privacy.ts';
import { readCheckoutPage } from '#contract/app/sales/checkout-page.ts';
import { transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { retentionDays } from '#domain/retention.ts';
import { ACCESS_ANSWER_DAYS, ANSWER_DAYS } from '#domain/sales/guest-form.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { releaseExpired } from '#server/orders/release-expired.ts';
import { importFile } from '#tests/support/comps.ts';
import { askBuyers, buyWithDetails, questionForm, reserveAsked } from '#tests/support/guest-forms.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { openPayout } from '#tests/support/money.ts';
import { emailsTo, eventOnSale, expectOk, logInAgain } from '#tests/support/people.ts';
import { recordsLinkTo } from '#tests/support/records-link.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { wholeDatabase } from '#tests/support/whole-database.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const NAME = 'Sofia Unmistakable';

/** An order with a name, and answers to a usual question, an access question, and one that is kept for 30 days. */
async function askedOrder(email: string) {
  const seller = await eventOnSale(app);
  const ids = await askBuyers(seller, {
    asksNames: 'required',
    questions: [
      questionForm('Usual'),
      questionForm('Access', { kind: 'access' }),
      questionForm('Month', { scope: 'order', deleteAfterDays: 30 }),
    ],
  });
  const [usual = '', access = '', month = ''] = [ids['Usual'], ids['Access'], ids['Month']];
  await buyWithDetails(
    app,
    seller.eventId,
    {
      order: { answers: { [month]: 'answer-month' } },
      tickets: [{ name: NAME, answers: { [usual]: 'answer-usual', [access]: 'answer-access' } }],
    },
    { email },
  );
  return seller;
}

const linkTo = (email: string) => recordsLinkTo(app, email);

const left = async (eventId: string) => {
  const { rows } = await sql<{ said: string }>`
    select coalesce(string_agg(coalesce(name, '') || answers::text, ' '), '') as said from order_guests where event_id = ${eventId}`.execute(
    app.db,
  );
  return ['answer-access', 'answer-month', 'answer-usual', NAME].filter((said) => rows[0]?.said.includes(said));
};

describe('what a buyer was asked', () => {
  it('is deleted when its time is over, answer by answer, and the sale still adds up', async () => {
    const seller = await askedOrder('kept@example.com');
    const { eventId } = seller;
    const { latestEndsAt } = await app.db
      .selectFrom('events')
      .where('id', '=', eventId)
      .select('latestEndsAt')
      .executeTakeFirstOrThrow();
    const daysAfter = async (days: number) => {
      const wait = latestEndsAt.getTime() + days * 24 * 60 * 60 * 1000 + 60_000 - app.deps.clock.now().getTime();
      await app.advance({ seconds: Math.ceil(wait / 1000) });
      await purge(app.deps, { pageSize: 2 });
      return left(eventId);
    };
    expect(await daysAfter(ACCESS_ANSWER_DAYS - 1)).toEqual(['answer-access', 'answer-month', 'answer-usual', NAME]);
    expect(await daysAfter(ACCESS_ANSWER_DAYS)).toEqual(['answer-month', 'answer-usual', NAME]);
    expect(await daysAfter(30)).toEqual(['answer-usual', NAME]);
    expect(await daysAfter(ANSWER_DAYS)).toEqual([NAME]);
    expect(await daysAfter(retentionDays.guestName)).toEqual([]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is deleted a day after a checkout that was not paid', async () => {
    const seller = await eventOnSale(app);
    await askBuyers(seller, { asksNames: 'required' });
    const { handle, send } = await reserveAsked(app, seller.eventId);
    expectOk(await send({ tickets: [{ name: NAME }] }));
    await app.db
      .updateTable('orders')
      .set({ sessionId: null, sessionUrl: null })
      .where('eventId', '=', seller.eventId)
      .execute();
    await app.advance({ minutes: 40 });
    await releaseExpired(app.deps, { wait: true });
    expect(expectOk(await app.call(readCheckoutPage, { handle })).status).toBe('expired');
    await purge(app.deps);
    expect(await left(seller.eventId)).toEqual([NAME]);
    await app.advance({ days: retentionDays.unpaidOrder });
    await purge(app.deps);
    expect(await left(seller.eventId)).toEqual([]);
  });

  it("is in the buyer's records and the organizer's file, and goes with the buyer's data", async () => {
    const email = 'forgotten@example.com';
    const seller = await askedOrder(email);
    await openPayout(app, seller);
    await app.settle();
    const token = await linkTo(email);
    const { purchases } = expectOk(await app.call(myRecords, { token }));
    expect(purchases[0]?.guests).toEqual([
      { position: 0, name: null, answers: [{ label: 'Month', answer: 'answer-month' }] },
      {
        position: 1,
        name: NAME,
        answers: [
          { label: 'Usual', answer: 'answer-usual' },
          { label: 'Access', answer: 'answer-access' },
        ],
      },
    ]);
    await logInAgain(seller);
    const file = await (await seller.visitor.fetch(myRecordsFile.path)).text();
    expect(JSON.parse(file).guests).toMatchObject([{ position: 0 }, { position: 1, name: NAME }]);
    expect(JSON.parse(file).guestForms).toMatchObject([{ version: 1, asksNames: 'required' }]);

    expect(expectOk(await app.call(deleteMyRecords, { token }))).toMatchObject({ deleted: 1 });
    const all = await wholeDatabase(app.db);
    for (const said of [NAME, 'answer-usual', 'answer-access', 'answer-month']) expect(all).not.toContain(said);
  });

  it('is deleted sooner once the organizer says so, and never later', async () => {
    const seller = await eventOnSale(app);
    const { Meal: meal = '' } = await askBuyers(seller, { questions: [questionForm('Meal')] });
    await buyWithDetails(
      app,
      seller.eventId,
      { tickets: [{ answers: { [meal]: 'answer-usual' } }] },
      { email: 'sooner@example.com' },
    );
    const question = { ...questionForm('Meal'), questionId: meal };
    await askBuyers(seller, { questions: [{ ...question, deleteAfterDays: 300 }] });
    await askBuyers(seller, { questions: [{ ...question, deleteAfterDays: 2 }] });
    const { latestEndsAt } = await app.db
      .selectFrom('events')
      .where('id', '=', seller.eventId)
      .select('latestEndsAt')
      .executeTakeFirstOrThrow();
    const wait = latestEndsAt.getTime() + 2 * 24 * 60 * 60 * 1000 + 60_000 - app.deps.clock.now().getTime();
    await purge(app.deps);
    expect(await left(seller.eventId)).toEqual(['answer-usual']);
    await app.advance({ seconds: Math.ceil(wait / 1000) });
    await purge(app.deps);
    expect(await left(seller.eventId)).toEqual([]);
  });
});

describe('the purge', () => {
  it('removes the address of an import that was cancelled before its tickets were issued', async () => {
    const seller = await eventOnSale(app);
    await app.endJobs();
    const csv = 'Email\nnever-issued@example.com';
    const { tickets } = expectOk(await seller.visitor.call(eventTickets, { eventId: seller.eventId }));
    const [ticket] = tickets;
    expectOk(await importFile(seller, csv, { ticketId: ticket?.ticketId ?? '' }));
    expectOk(await seller.visitor.call(cancelEvent, { eventId: seller.eventId }));
    await app.restartJobs();
    await app.settle();
    await app.advance({ days: 2 });
    await purge(app.deps);
    expect(await wholeDatabase(app.db)).not.toContain('never-issued@example.com');
  });
});

describe('a transferred ticket', () => {
  async function transferred(who: string) {
    const [giver, taker] = [`giver-${who}@example.com`, `taker-${who}@example.com`];
    const event = await askedOrder(giver);
    const token = await linkIn(giver, /\/order\/([\w.-]+)/);
    const transfer = { token, position: 1, email: taker, name: `Omar ${who}` };
    expectOk(await app.call(transferTicket, transfer));
    await app.settle();
    return { ...event, giver, taker };
  }
  const linkIn = async (email: string, link: RegExp) =>
    (await emailsTo(app, email)).flatMap(({ text }) => link.exec(text)?.[1] ?? [])[0] ?? '';
  const recordsOf = async (email: string) => expectOk(await app.call(myRecords, { token: await linkTo(email) }));

  it('is in the export of its holder, and of its buyer without what is the holder’s [HOLDER-4]', async () => {
    const { eventId, giver, taker } = await transferred('kept');
    const { confirmationNumber } = await app.db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .select('confirmationNumber')
      .executeTakeFirstOrThrow();
    const holders = await recordsOf(taker);
    expect(holders).toMatchObject({
      purchases: [],
      heldTickets: [{ confirmationNumber, name: 'Omar kept', retained: { because: 'event-open' } }],
    });
    const buyers = await recordsOf(giver);
    expect(buyers.purchases).toMatchObject([{ tickets: [{ confirmationNumber: null }] }]);
    for (const theirs of [confirmationNumber, 'Omar', taker, NAME])
      expect(JSON.stringify(buyers.purchases)).not.toContain(theirs);
  });

  it('loses its holder’s address and name with their deletion, once it is over [HOLDER-4]', async () => {
    const event = await transferred('gone');
    const { eventId, taker } = event;
    const remove = async () => expectOk(await app.call(deleteMyRecords, { token: await linkTo(taker) }));
    expect(await remove()).toMatchObject({ deleted: 0, retained: 1 });
    await openPayout(app, event);
    expect(await remove()).toMatchObject({ deleted: 1, retained: 0 });
    const { buyerEmail } = await app.db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .select('buyerEmail')
      .executeTakeFirstOrThrow();
    expect(buyerEmail).toMatch(/^erased /);
    expect(await wholeDatabase(app.db)).not.toMatch(/Omar gone|taker-gone/);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});

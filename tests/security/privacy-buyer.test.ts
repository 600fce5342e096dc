import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { cancelEvent } from '#contract/app/events.ts';
import { resendTicket } from '#contract/app/guests.ts';
import { deleteMyRecords, myRecords, requestRecordsLink } from '#contract/app/privacy.ts';
import { RECORDS_LINK_MINUTES } from '#domain/retention.ts';
import { recordsDeleted, recordsLinkSent, recordsRetained } from '#messages/privacy.ts';
import { lockEmail } from '#server/accounts/accounts.sql.ts';
import { sendRecordsLink } from '#server/backoffice/privacy/records-link.ts';
import { replayErasures } from '#server/backoffice/privacy/replay-erasures.ts';
import { inTransaction } from '#server/platform/database.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { openPayout, paymentOf, simulateAtBank } from '#tests/support/money.ts';
import {
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  newOrganizer,
} from '#tests/support/people.ts';
import { recordsLinkTo } from '#tests/support/records-link.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { wholeDatabase } from '#tests/support/whole-database.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

let people = 0;
const newBuyer = () => `buyer-${++people}@buyers.example`;

const linkTo = (email: string) => recordsLinkTo(app, email);

const purchase = async (eventId: string, email: string, quantity = 1) =>
  codesOf(await buyTickets(app, eventId, generalAdmission(quantity), email));

async function soldAndOver(email: string) {
  const event = await eventOnSale(app);
  const codes = await purchase(event.eventId, email, 2);
  await app.settle();
  await openPayout(app, event);
  await app.settle();
  return { ...event, codes };
}

describe('POST /api/public/records-link', () => {
  it('answers identically for a buyer, a stranger and a filled honeypot, and emails only the buyer', async () => {
    const { eventId } = await eventOnSale(app);
    const [buyer, stranger, trapped] = [newBuyer(), newBuyer(), newBuyer()];
    for (const email of [buyer, trapped]) await purchase(eventId, email);
    const before = [await emailsTo(app, buyer), await emailsTo(app, stranger), await emailsTo(app, trapped)].map(
      (emails) => emails.length,
    );

    const answers = [
      await app.call(requestRecordsLink, { email: buyer }),
      await app.call(requestRecordsLink, { email: stranger }),
      await app.call(requestRecordsLink, { email: trapped, honeypot: 'x' }),
    ];
    const after = [await emailsTo(app, buyer), await emailsTo(app, stranger), await emailsTo(app, trapped)].map(
      (emails) => emails.length,
    );

    for (const { status, body } of answers) expect([status, body]).toEqual([200, { msg: recordsLinkSent }]);
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 0, 0]);
  });

  it('sends a few emails per hour to an address, and stays silent after that', async () => {
    const strict = await startTestApp({ rateLimitScale: 1 });
    const { eventId } = await eventOnSale(strict);
    await buyTickets(strict, eventId, generalAdmission(1), 'bombed@example.com');
    const before = (await emailsTo(strict, 'bombed@example.com')).length;
    const answers = [];
    for (let n = 0; n < 6; n++) answers.push(await strict.call(requestRecordsLink, { email: 'Bombed@example.com' }));
    const emails = await emailsTo(strict, 'bombed@example.com');
    await strict.close();

    expect(answers.map(({ status, body }) => [status, body.msg])).toEqual(Array(6).fill([200, recordsLinkSent]));
    expect(emails.length - before).toBe(3);
  });

  it('makes one link when two requests race [EMAIL-5]', async () => {
    const { eventId } = await eventOnSale(app);
    const email = newBuyer();
    await purchase(eventId, email);
    const { requests } = await inTransaction(app.db, async (tx) => {
      await lockEmail(tx, email);
      const requests = [1, 2].map(() => sendRecordsLink(app.deps, { email }));
      await app.untilBlocked(2);
      return { requests };
    });
    await Promise.all(requests);

    const links = await app.db.selectFrom('privacyLinks').where('email', '=', email).select('id').execute();
    expect(links).toHaveLength(1);
  });

  it('stores only a hash of the link', async () => {
    const { eventId } = await eventOnSale(app);
    const email = newBuyer();
    await purchase(eventId, email);
    const token = await linkTo(email);
    await sql`delete from inbox_messages`.execute(app.db);

    expect(await wholeDatabase(app.db)).not.toContain(token);
  });
});

describe('POST /api/public/my-records', () => {
  it('shows the data stored about the address, and nothing about others', async () => {
    const { eventId } = await eventOnSale(app);
    const [email, other] = [newBuyer(), newBuyer()];
    const codes = await purchase(eventId, email, 2);
    await purchase(eventId, other);

    const records = expectOk(await app.call(myRecords, { token: await linkTo(email) }));

    expect(records).toMatchObject({ email, hasAccount: false, isWhole: true });
    expect(records.purchases).toMatchObject([{ eventId, totalCents: 4800, retained: { because: 'event-open' } }]);
    expect(records.purchases[0]?.tickets.map((ticket) => ticket.confirmationNumber).sort()).toEqual(codes.sort());
    expect(records.emails.map(({ kind }) => kind).sort()).toEqual(['records-link', 'tickets']);
    expect(JSON.stringify(records)).not.toContain(other);
  });

  it('shows the tickets of an order in cart order', async () => {
    const { eventId } = await eventOnSale(app);
    const email = newBuyer();
    const cart = [{ ticketName: 'Balcony', quantity: 5 }, ...generalAdmission(5)];
    const codes = codesOf(await buyTickets(app, eventId, cart, email));

    const records = expectOk(await app.call(myRecords, { token: await linkTo(email) }));

    expect(records.purchases[0]?.tickets.map((ticket) => ticket.confirmationNumber)).toEqual(codes);
  });

  it('rejects guesses and expired links', async () => {
    const { eventId } = await eventOnSale(app);
    const email = newBuyer();
    await purchase(eventId, email);
    const token = await linkTo(email);
    const denied = { status: 400, body: errorBody('records-link.unknown') };

    expect(await app.call(myRecords, { token: 'x'.repeat(43) })).toMatchObject(denied);
    expectOk(await app.call(myRecords, { token }));
    await app.advance({ minutes: RECORDS_LINK_MINUTES, seconds: 1 });
    expect(await app.call(myRecords, { token })).toMatchObject(denied);
    expect(await app.call(deleteMyRecords, { token })).toMatchObject(denied);
  });

  it('works with the same link for 60 minutes from the last email, and not with one of an earlier app secret [EMAIL-5]', async () => {
    const { eventId } = await eventOnSale(app);
    const email = newBuyer();
    await purchase(eventId, email);
    const token = await linkTo(email);
    await app.advance({ minutes: RECORDS_LINK_MINUTES - 1 });
    expect(await linkTo(email)).toBe(token);
    await app.advance({ minutes: RECORDS_LINK_MINUTES - 1 });
    expectOk(await app.call(myRecords, { token }));

    await sendRecordsLink({ ...app.deps, appSecret: ['another secret that is long enough for anyone'] }, { email });
    const links = await app.db.selectFrom('privacyLinks').where('email', '=', email).select('id').execute();
    expect(links).toHaveLength(2);
  });
});

describe('POST /api/public/delete-my-records', () => {
  it('removes the address everywhere once the event is over, and leaves the ledger unchanged', async () => {
    const email = newBuyer();
    const { eventId } = await soldAndOver(email);
    const ledger = () =>
      sql`select (select array_agg(l order by transaction_id, account) from ledger_entries l where event_id = ${eventId}) as ledger,
                 (select array_agg((t.id, t.price_cents, t.state, t.confirmation_number) order by id) from tickets t where event_id = ${eventId}) as tickets`.execute(
        app.db,
      );
    const before = (await ledger()).rows;
    const token = await linkTo(email);
    expect((await wholeDatabase(app.db)).toLowerCase()).toContain(email);

    const answer = expectOk(await app.call(deleteMyRecords, { token }));

    expect(answer).toEqual({ msg: recordsDeleted, deleted: 1, retained: 0 });
    expect((await wholeDatabase(app.db)).toLowerCase()).not.toContain(email);
    expect((await ledger()).rows).toEqual(before);
    expect((await app.call(deleteMyRecords, { token })).status).toBe(400);
    expect((await app.call(myRecords, { token })).status).toBe(400);
  });

  it('shows the organizer a guest without an address, who cannot be emailed', async () => {
    const email = newBuyer();
    const event = await soldAndOver(email);
    expectOk(await app.call(deleteMyRecords, { token: await linkTo(email) }));
    const { rows } = await sql<{
      buyerEmail: string;
    }>`select buyer_email from tickets where event_id = ${event.eventId}`.execute(app.db);
    const [erased = ''] = rows.map(({ buyerEmail }) => buyerEmail);
    const sent = await sql<{ n: number }>`select count(*)::int as n from inbox_messages`.execute(app.db);

    await event.visitor.call(resendTicket, { email: erased, confirmationNumber: event.codes[0] ?? '' });
    await app.settle();

    expect(erased).toMatch(/^erased [0-9a-f]{32}$/);
    expect((await sql`select count(*)::int as n from inbox_messages`.execute(app.db)).rows).toEqual(sent.rows);
  });

  it('keeps tickets of upcoming events, says until when, and deletes the rest', async () => {
    const email = newBuyer();
    await soldAndOver(email);
    const coming = await eventOnSale(app);
    const codes = await purchase(coming.eventId, email);
    const token = await linkTo(email);
    const { purchases } = expectOk(await app.call(myRecords, { token }));
    const { rows } = await sql<{ at: Date }>`
      select latest_ends_at + interval '24 hours' as at from events where id = ${coming.eventId}`.execute(app.db);

    const answer = expectOk(await app.call(deleteMyRecords, { token }));

    expect(purchases.map(({ retained }) => retained)).toEqual([
      { because: 'event-open', until: rows[0]?.at.toISOString() },
      null,
    ]);
    expect(answer).toEqual({ msg: recordsRetained, deleted: 1, retained: 1 });
    const left = await sql<{
      eventId: string;
    }>`select event_id from tickets where lower(buyer_email) = ${email}`.execute(app.db);
    expect(left.rows).toEqual([{ eventId: coming.eventId }]);
    const emails = await sql<{ kind: string }>`select kind from email_outbox where to_address = ${email}`.execute(
      app.db,
    );
    expect(emails.rows).toEqual([{ kind: 'tickets' }]);

    await openPayout(app, coming);
    expect(codes).toHaveLength(1);
    expectOk(await app.call(deleteMyRecords, { token: await linkTo(email) }));
    expect((await wholeDatabase(app.db)).toLowerCase()).not.toContain(email);
  });

  it('keeps a purchase while its payment is disputed', async () => {
    const email = newBuyer();
    const event = await eventOnSale(app);
    await purchase(event.eventId, email);
    await app.settle();
    await simulateAtBank(app, 'disputes', { payment_intent: await paymentOf(app, event.eventId) });
    await app.settle();
    await openPayout(app, event);

    const token = await linkTo(email);
    const { purchases } = expectOk(await app.call(myRecords, { token }));

    expect(purchases).toMatchObject([{ retained: { because: 'dispute-open', until: null } }]);
    expect(expectOk(await app.call(deleteMyRecords, { token }))).toMatchObject({ deleted: 0, retained: 1 });
  });

  it('deletes a purchase of a cancelled event once its refund has arrived, with the email about it', async () => {
    const email = newBuyer();
    const event = await eventOnSale(app);
    await purchase(event.eventId, email);
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    await app.settle();

    const answer = expectOk(await app.call(deleteMyRecords, { token: await linkTo(email) }));

    expect(answer).toMatchObject({ deleted: 1, retained: 0 });
    expect((await wholeDatabase(app.db)).toLowerCase()).not.toContain(email);
  });

  it('keeps the ledger of a cancelled event balanced when one purchase is deleted and another kept', async () => {
    const email = newBuyer();
    const event = await eventOnSale(app);
    await purchase(event.eventId, email);
    await app.settle();
    await simulateAtBank(app, 'disputes', { payment_intent: await paymentOf(app, event.eventId) });
    await purchase(event.eventId, email);
    await purchase(event.eventId, newBuyer());
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    await app.settle();

    const answer = expectOk(await app.call(deleteMyRecords, { token: await linkTo(email) }));

    expect(answer).toMatchObject({ deleted: 1, retained: 1 });
  });

  it('leaves the account of an organizer with the same address alone', async () => {
    const { email } = await newOrganizer(app);
    const token = await linkTo(email);

    expect(expectOk(await app.call(myRecords, { token }))).toMatchObject({ hasAccount: true, purchases: [] });
    expectOk(await app.call(deleteMyRecords, { token }));
    expect((await sql`select from users where email = ${email}`.execute(app.db)).rows).toHaveLength(1);
  });
});

describe('a restored backup', () => {
  it('excludes buyers deleted since then, but keeps their later purchases', async () => {
    const email = newBuyer();
    const over = await soldAndOver(email);
    expectOk(await app.call(deleteMyRecords, { token: await linkTo(email) }));
    await app.advance({ minutes: 1 });
    const later = await eventOnSale(app);
    await purchase(later.eventId, email);
    await sql`delete from erasures`.execute(app.db);
    await sql`update orders set buyer_email = ${email} where event_id = ${over.eventId}`.execute(app.db);
    await sql`update tickets set buyer_email = ${email} where event_id = ${over.eventId}`.execute(app.db);

    await replayErasures(app.deps);
    await openPayout(app, later);
    await replayErasures(app.deps);

    const { rows } = await sql<{ eventId: string }>`select event_id from tickets where buyer_email = ${email}`.execute(
      app.db,
    );
    expect(rows).toEqual([{ eventId: later.eventId }]);
  });
});

describe('the ledger', () => {
  it('balances after all these deletions', async () => {
    await app.settle();

    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});

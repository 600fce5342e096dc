import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { adminOverview } from '#contract/app/admin.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { refundAccepted, type refundErrors } from '#messages/refunds.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { buildApp } from '#server/main/app.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { runEverything } from '#tests/support/heal.ts';
import { Visitor } from '#tests/support/http-visitor.ts';
import {
  at,
  ledgerOf,
  movementsAtStripe,
  paymentOf,
  planFault,
  reservedOf,
  settlementOf,
  stripeOf,
} from '#tests/support/money.ts';
import {
  attendantOf,
  buyTickets,
  cardWith,
  codesOf,
  emailsTo,
  type eventForm,
  eventOnSale,
  goodCard,
  logInAgain,
  newOrganizer,
} from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const ZONE = 'America/New_York';
const HOUR = 60 * 60 * 1000;
const REFUND_FAILS_LATER = cardWith('4000 0000 0000 5126');

const ticket = (ticketName: string, ticketPrice: number) => ({
  ticketName,
  ticketDescription: 'x',
  ticketPrice,
  ticketQuantity: 50,
});

let buyers = 0;
async function soldTickets(quantity = 1, change: Parameters<typeof eventForm>[1] = {}, card = goodCard) {
  const event = await eventOnSale(app, { tickets: [ticket('Seat', 24)], ...change });
  const buyerEmail = `buyer-${++buyers}@example.com`;
  const order = await buyTickets(app, event.eventId, [{ ticketName: 'Seat', quantity }], buyerEmail, card);
  await app.settle();
  const codes = codesOf(order);
  return { ...event, buyerEmail, codes, code: codes[0] ?? '' };
}

const ask = (eventId: string, confirmationCode: string, visitor = app.visitor()) =>
  visitor.call(requestRefund, { eventId, confirmationCode });
const accepted = { status: 200, body: { msg: refundAccepted } };
const refused = (code: keyof typeof refundErrors) => ({ status: 409, body: errorBody(code) });

const refundsOf = (eventId: string) =>
  app.db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().orderBy('id').execute();
async function statesOf(eventId: string) {
  const tickets = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute();
  return tickets.map(({ state }) => state).sort();
}

/** An order of two tickets, so that a second refund at the same price would be possible. */
async function expectRefundedOnce(eventId: string, buyerEmail: string) {
  expect(await movementsAtStripe(app, 'refund', eventId)).toMatchObject([{ amount: 24_00 }]);
  expect(await refundsOf(eventId)).toMatchObject([{ state: 'sent', cents: 24_00 }]);
  expect(await statesOf(eventId)).toEqual(['refunded', 'valid']);
  expect(await reservedOf(app, eventId)).toBe(1);
  const emails = (await emailsTo(app, buyerEmail)).filter(({ subject }) => /^Your \$.* refund for /.test(subject));
  expect(emails).toHaveLength(1);
}

describe('a refund', () => {
  it('case 22: of one of three tickets returns exactly its price', async () => {
    const tickets = [ticket('Floor', 24), ticket('Balcony', 38.5), ticket('Box', 90.01)];
    const { eventId } = await eventOnSale(app, { tickets });
    const order = await buyTickets(
      app,
      eventId,
      tickets.map(({ ticketName }) => ({ ticketName, quantity: 1 })),
    );
    const balcony = order.confirmationData.find(({ ticketName }) => ticketName === 'Balcony');

    expect(await ask(eventId, balcony?.confirmationNumber ?? '')).toMatchObject(accepted);
    await app.settle();

    expect(await statesOf(eventId)).toEqual(['refunded', 'valid', 'valid']);
    const { data } = await stripeOf(app).charges.list({ payment_intent: await paymentOf(app, eventId) });
    expect(data).toMatchObject([{ amount: 152_51, amount_refunded: 38_50, refunded: false }]);
    const given = (await ledgerOf(app, eventId)).filter((line) => line.endsWith(' processor -3850'));
    expect(given).toHaveLength(1);
  });

  it('case 23: requested in two tabs and on two servers at once happens once', async () => {
    const { eventId, code, buyerEmail } = await soldTickets(2);
    const { deps } = app;
    const second = await buildApp({ deps, trustedProxies: 0, isReady: async () => true, webRoot: null, plugins: [] });
    const there = new Visitor(await second.listen({ port: 0, host: '127.0.0.1' }));

    const replies = await raceFor(app, 'tickets', eventId, [
      () => ask(eventId, code),
      () => ask(eventId, code, there),
      () => ask(eventId, code),
    ]);
    await second.close();

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await expectRefundedOnce(eventId, buyerEmail);
  });

  it.each(['the guest', 'the refund'])(
    'case 24: and a scan of the same ticket: %s comes first and wins',
    async (first) => {
      const { eventId, code, attendantCode } = await soldTickets();
      const door = await attendantOf(app, eventId, attendantCode);
      const scan = () => door.call(checkGuest, { eventId, confirmationNumber: code });
      const refund = () => ask(eventId, code);

      const isGuest = first === 'the guest';
      const replies = await raceFor<{ status: number }>(
        app,
        'tickets',
        eventId,
        isGuest ? [scan, refund] : [refund, scan],
      );
      await app.settle();

      expect(replies.map(({ status }) => status)).toEqual([200, 409]);
      expect(await statesOf(eventId)).toEqual([isGuest ? 'scanned' : 'refunded']);
      expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(isGuest ? 0 : 1);
    },
  );

  it('case 25: is accepted until 24 hours after the end, to the second, across a clock change as well', async () => {
    const changes = nextClockChange();
    const night = await soldTickets(2, {
      startDate_startTime: localTimeOf(new Date(changes.getTime() - 6 * HOUR), ZONE),
      endDate_endTime: localTimeOf(new Date(changes.getTime() - 3 * HOUR), ZONE),
    });
    const plain = await soldTickets(2);
    for (const { eventId, codes } of [night, plain]) {
      const { endsAt } = await app.db
        .selectFrom('events')
        .where('id', '=', eventId)
        .select('endsAt')
        .executeTakeFirstOrThrow();
      const closes = endsAt.getTime() + 24 * HOUR;
      const [early = '', late = ''] = codes;

      const askAt = (time: number, code: string) => at(app, new Date(time), () => ask(eventId, code));
      expect(await askAt(closes, late)).toMatchObject(refused('refund.window-closed'));
      expect(await askAt(closes - 1000, early)).toMatchObject(accepted);
      expect(await settlementOf(app, eventId)).toEqual(new Date(closes));
      expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
    }
  });
});

/** The next clock change in New York. */
function nextClockChange(): Date {
  const hourThere = (time: number) => Number(localTimeOf(new Date(time), ZONE).slice(11, 13));
  let time = Math.ceil(app.now().getTime() / HOUR) * HOUR + 48 * HOUR;
  while ((hourThere(time - HOUR) + 1) % 24 === hourThere(time)) time += HOUR;
  return new Date(time);
}

describe('a refund that Stripe', () => {
  it('case 26: does not answer is accepted, and completes once', async () => {
    const { eventId, code, buyerEmail, attendantCode } = await soldTickets(2);
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_after', times: 2 });

    expect(await ask(eventId, code)).toMatchObject(accepted);
    expect(await statesOf(eventId)).toEqual(['refunding', 'valid']);
    const door = await attendantOf(app, eventId, attendantCode);
    expect((await door.call(checkGuest, { eventId, confirmationNumber: code })).status).toBe(409);

    await app.advance({ minutes: 5 });
    await runEverything(app);
    await expectRefundedOnce(eventId, buyerEmail);
  });

  it.each([
    ['made', 'finds it'],
    ['did not make', 'makes it'],
  ])('case 27: answers with a stored error, and %s: the job checks first, and %s', async (what) => {
    const { eventId, code, buyerEmail } = await soldTickets(2);
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'error_after', times: 1 });
    expect(await ask(eventId, code)).toMatchObject(accepted);
    if (what === 'did not make') await undoRefundsAtStripe(eventId);
    const [refund] = await refundsOf(eventId);
    const keys = () =>
      sql<{ key: string }>`select key from sandbox.idempotency_keys where key like ${`re:${refund?.id}%`} order by 1`
        .execute(app.db)
        .then(({ rows }) => rows.map(({ key }) => key));
    expect(await keys()).toEqual([`re:${refund?.id}:1`]);

    await app.advance({ minutes: 5 });
    await runEverything(app);

    expect(await keys()).toHaveLength(what === 'made' ? 1 : 2);
    await expectRefundedOnce(eventId, buyerEmail);
  });

  it('case 28: made and could not deliver is owed to its buyer, and becomes an action item', async () => {
    const { eventId, code } = await soldTickets(1, {}, REFUND_FAILS_LATER);
    const admin = await newOrganizer(app);
    await appointAdmin(app.deps, { email: admin.email, isAdmin: true });
    const actionItemCount = async () => {
      await logInAgain(admin);
      return (await admin.visitor.call(adminOverview, {})).body.actionItems.refunds;
    };
    expect(await ask(eventId, code)).toMatchObject(accepted);
    const before = await actionItemCount();

    await app.advance({ hours: 2 });
    await app.settle();

    expect(await refundsOf(eventId)).toMatchObject([{ state: 'failed', failedAt: expect.any(Date) }]);
    expect(await statesOf(eventId)).toEqual(['refunded']);
    const owed = (await ledgerOf(app, eventId)).filter((line) => line.includes(' owed-to-buyers '));
    expect(owed.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(-24_00);
    expect(await actionItemCount()).toBe(before + 1);
    expect(await ask(eventId, code)).toMatchObject(refused('refund.already-refunded'));
  });
});

/** Undoes the refund at Stripe, as if its failure had rolled it back. */
async function undoRefundsAtStripe(eventId: string): Promise<void> {
  const ofEvent = sql`(select id from sandbox.objects where kind = 'refund' and body->'metadata'->>'event_id' = ${eventId})`;
  await app.settle();
  await sql`delete from sandbox.balance_transactions where source in ${ofEvent}`.execute(app.db);
  await sql`delete from sandbox.objects where id in ${ofEvent}`.execute(app.db);
  await sql`
    update sandbox.objects set body = (body::jsonb || '{"amount_refunded": 0, "refunded": false}')::json
     where kind = 'charge' and body->'metadata'->>'event_id' = ${eventId}`.execute(app.db);
}

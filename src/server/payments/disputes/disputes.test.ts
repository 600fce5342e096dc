import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { admitted } from '#messages/check-in.ts';
import { retryRefusedRefunds } from '#server/payments/refunds/send-waiting-refunds.ts';
import type { ProcessorDispute } from '#server/platform/ports/payment-processor.ts';
import { balancesOf, decideDispute, disputePayment, moneyErrorsExceptWebhooks } from '#tests/support/disputes.ts';
import { clearFaults, ledgerOf, movementsAtStripe, planFault, reservedOf } from '#tests/support/money.ts';
import { attendantOf, buyTickets, emailsTo, eventOnSale, pay } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { applyDisputes } from './apply-disputes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const seats = (quantity: number) => [{ ticketName: 'General admission', quantity }];

async function soldEvent(quantity = 2) {
  const event = await eventOnSale(app);
  const order = await buyTickets(app, event.eventId, seats(quantity), `buyer-of-${event.eventId}@example.com`);
  await app.settle();
  const codes = order.confirmationData.map((ticket) => ticket.confirmationNumber);
  const { orderId } = await app.db
    .selectFrom('tickets')
    .where('eventId', '=', event.eventId)
    .select('orderId')
    .executeTakeFirstOrThrow();
  return { ...event, orderId, codes, code: codes[0] ?? '' };
}

async function statesOf(eventId: string): Promise<string[]> {
  const tickets = await app.db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .select(['state', 'disputedAt'])
    .execute();
  return tickets.map(({ state, disputedAt }) => (disputedAt ? `${state}, disputed` : state)).sort();
}

const disputesOf = (eventId: string) =>
  app.db.selectFrom('disputes').where('eventId', '=', eventId).selectAll().orderBy('id').execute();
const subjectsTo = async (email: string) => (await emailsTo(app, email)).map(({ subject }) => subject);
/** Dispute states that the sandbox can't produce. */
const reading = (change: Partial<ProcessorDispute> = {}) => ({
  disputes: [
    {
      stripeDisputeId: 'du_1',
      cents: 48_00,
      feeCents: 15_00,
      state: 'open' as const,
      reason: 'fraudulent',
      ...change,
    },
  ],
});

describe('opening a dispute', () => {
  it('blocks its tickets, shows their money as disputed and emails the organizer once [EMAIL-10]', async () => {
    const { eventId, attendantCode, code, email } = await soldEvent();
    const door = await attendantOf(app, eventId, attendantCode);

    await disputePayment(app, eventId);

    expect(await statesOf(eventId)).toEqual(['valid, disputed', 'valid, disputed']);
    expect(await door.call(checkGuest, { eventId, confirmationNumber: code })).toMatchObject({
      status: 409,
      body: { code: 'check-in.disputed' },
    });
    expect(await ledgerOf(app, eventId, 'dispute-opened')).toEqual([
      'dispute-opened dispute-costs 1500',
      'dispute-opened disputed 4800',
      'dispute-opened processor -6300',
    ]);
    const [sent] = await emailsTo(app, email);
    expect(sent?.subject).toBe('Basement Brass: a $48.00 payment is disputed');
    expect(sent?.text).toContain('the money is on hold');
    expect(sent?.text).toContain(`${app.publicUrl}/events/${eventId}/money#disputes`);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('denies refunds of its tickets without calling Stripe', async () => {
    const { eventId, code } = await soldEvent();
    await disputePayment(app, eventId);

    expect(await app.call(requestRefund, { eventId, confirmationCode: code })).toMatchObject({
      status: 409,
      body: { code: 'refund.disputed' },
    });

    expect(await statesOf(eventId)).toEqual(['valid, disputed', 'valid, disputed']);
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
    expect(await app.db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().execute()).toEqual([]);
  });

  it('as an inquiry moves no money and blocks neither check-in nor refunds', async () => {
    const { eventId, attendantCode, codes, email } = await soldEvent();
    const [used = '', given = ''] = codes;
    const disputeId = await disputePayment(app, eventId, { kind: 'inquiry' });

    expect(await disputesOf(eventId)).toMatchObject([{ state: 'inquiry', cents: 48_00, closedAt: null }]);
    const door = await attendantOf(app, eventId, attendantCode);
    expect((await door.call(checkGuest, { eventId, confirmationNumber: used })).status).toBe(200);
    expect((await app.call(requestRefund, { eventId, confirmationCode: given })).status).toBe(200);
    await decideDispute(app, disputeId, 'won');

    expect(await disputesOf(eventId)).toMatchObject([{ state: 'closed', closedAt: expect.any(Date) }]);
    expect(await balancesOf(app, eventId)).not.toHaveProperty('disputed');
    expect((await subjectsTo(email)).filter((subject) => subject.includes('dispute'))).toEqual([]);
  });

  it('after an inquiry books the withdrawn amount and fee', async () => {
    const { eventId } = await soldEvent();
    const disputeId = await disputePayment(app, eventId, { kind: 'inquiry' });

    await decideDispute(app, disputeId, 'chargeback');

    expect(await disputesOf(eventId)).toMatchObject([{ state: 'open', cents: 48_00, feeCents: 15_00 }]);
    expect(await statesOf(eventId)).toEqual(['valid, disputed', 'valid, disputed']);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });
});

describe('closing a dispute', () => {
  it('as won makes the tickets valid again and charges the fee to the platform', async () => {
    const { eventId, attendantCode, code, email } = await soldEvent();
    const disputeId = await disputePayment(app, eventId);
    await decideDispute(app, disputeId, 'won');

    expect(await statesOf(eventId)).toEqual(['valid', 'valid']);
    const door = await attendantOf(app, eventId, attendantCode);
    expect(await door.call(checkGuest, { eventId, confirmationNumber: code })).toMatchObject({
      body: { msg: admitted('General admission') },
    });
    expect(await ledgerOf(app, eventId, 'dispute-won')).toEqual([
      'dispute-won disputed -4800',
      'dispute-won processor 4800',
    ]);
    expect((await subjectsTo(email)).slice(0, 2)).toEqual([
      'Basement Brass: you won the $48.00 dispute',
      'Basement Brass: a $48.00 payment is disputed',
    ]);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('as lost voids the tickets, releases their stock and reverses the sale in the ledger', async () => {
    const { eventId, attendantCode, codes, email } = await soldEvent();
    const [used = '', unused = ''] = codes;
    const door = await attendantOf(app, eventId, attendantCode);
    await door.call(checkGuest, { eventId, confirmationNumber: used });
    const disputeId = await disputePayment(app, eventId);
    await decideDispute(app, disputeId, 'lost');

    expect(await statesOf(eventId)).toEqual(['void', 'void']);
    // A checked-in guest keeps their place.
    expect(await reservedOf(app, eventId)).toBe(1);
    expect(await door.call(checkGuest, { eventId, confirmationNumber: unused })).toMatchObject({
      status: 409,
      body: { code: 'check-in.void' },
    });
    expect(await ledgerOf(app, eventId, 'dispute-lost')).toEqual([
      'dispute-lost disputed -4800',
      'dispute-lost organizer-payable 4800',
    ]);
    expect(await balancesOf(app, eventId)).toEqual({ 'card-fees': 169, 'dispute-costs': 1500, processor: -1669 });
    const [sent] = await emailsTo(app, email);
    expect(sent?.text).toContain('These tickets no longer work');
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('as lost over part of the payment keeps the tickets and deducts the amount', async () => {
    const { eventId, orderId } = await soldEvent();
    await applyDisputes(app.deps, { eventId, orderId }, reading({ cents: 10_00 }));
    await applyDisputes(app.deps, { eventId, orderId }, reading({ cents: 10_00, state: 'lost' }));

    expect(await statesOf(eventId)).toEqual(['valid', 'valid']);
    expect(await balancesOf(app, eventId)).toMatchObject({ 'organizer-payable': -38_00 });
    expect(await balancesOf(app, eventId)).not.toHaveProperty('disputed');
  });
});

describe('a dispute event', () => {
  it('changes nothing when late or repeated and catches up on missed states', async () => {
    const { eventId, orderId, email } = await soldEvent();
    const order = { eventId, orderId };
    await applyDisputes(app.deps, order, reading({ state: 'lost' }));
    const book = await ledgerOf(app, eventId);
    const [lost] = await disputesOf(eventId);

    await applyDisputes(app.deps, order, reading({ state: 'open' }));
    await applyDisputes(app.deps, order, reading({ state: 'won' }));
    await applyDisputes(app.deps, order, reading({ state: 'inquiry' }));
    await applyDisputes(app.deps, order, reading({ state: 'lost' }));

    expect(await ledgerOf(app, eventId)).toEqual(book);
    expect(book).toContain('dispute-opened disputed 4800');
    expect(book).toContain('dispute-lost disputed -4800');
    expect(await disputesOf(eventId)).toEqual([lost]);
    expect((await subjectsTo(email)).filter((subject) => subject.includes('dispute'))).toHaveLength(1);
  });

  it('takes effect once when applied twice at the same time', async () => {
    const { eventId, orderId, email } = await soldEvent();
    const order = { eventId, orderId };
    await applyDisputes(app.deps, order, reading());

    const win = () => applyDisputes(app.deps, order, reading({ state: 'won' }));
    await raceFor(app, 'events', eventId, [win, win]);

    expect(await ledgerOf(app, eventId, 'dispute-won')).toHaveLength(2);
    expect((await subjectsTo(email)).filter((subject) => subject.includes('won the'))).toHaveLength(1);
  });

  it('books a fee that increased by the end', async () => {
    const { eventId, orderId } = await soldEvent();
    await applyDisputes(app.deps, { eventId, orderId }, reading());
    await applyDisputes(app.deps, { eventId, orderId }, reading({ state: 'won', feeCents: 30_00 }));

    expect(await ledgerOf(app, eventId, 'dispute-won')).toEqual([
      'dispute-won dispute-costs 1500',
      'dispute-won disputed -4800',
      'dispute-won processor 3300',
    ]);
  });
});

describe('a dispute over money that is not owed to the organizer', () => {
  it('replaces the refund of a cancelled event when lost', async () => {
    const event = await soldEvent();
    const { eventId, visitor, email } = event;
    const disputeId = await disputePayment(app, eventId);
    await visitor.call(cancelEvent, { eventId });
    await app.settle();
    await decideDispute(app, disputeId, 'lost');

    expect(await statesOf(eventId)).toEqual(['void', 'void']);
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
    expect(await balancesOf(app, eventId)).not.toHaveProperty('organizer-payable');
    const [sent] = await emailsTo(app, email);
    expect(sent?.text).toContain("your payouts don't change");
  });

  it('allows the refund of a cancelled event once won', async () => {
    const { eventId, visitor } = await soldEvent();
    const disputeId = await disputePayment(app, eventId);
    await visitor.call(cancelEvent, { eventId });
    await app.settle();
    await decideDispute(app, disputeId, 'won');
    await app.advance({ hours: 2 });
    await retryRefusedRefunds(app.deps);
    await app.settle();

    expect(await statesOf(eventId)).toEqual(['refunded', 'refunded']);
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(2);
    expect(await balancesOf(app, eventId)).not.toHaveProperty('organizer-payable');
  });

  it('settles the debt to the buyer of an unfulfillable order without emailing the organizer', async () => {
    const { eventId, email } = await eventOnSale(app);
    const buyer = app.visitor();
    const { body: session } = await buyer.call(createCheckoutSession, { eventId, cartItems: seats(2) });
    await app.db.updateTable('events').set({ cancelledAt: app.now() }).where('id', '=', eventId).execute();
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_before', times: 30 });
    await pay(buyer, session.url, 'late@example.com');
    await app.settle();
    expect(await balancesOf(app, eventId)).toMatchObject({ 'owed-to-buyers': -48_00 });

    const disputeId = await disputePayment(app, eventId);
    await clearFaults(app);
    await decideDispute(app, disputeId, 'lost');

    expect(await balancesOf(app, eventId)).not.toHaveProperty('owed-to-buyers');
    expect(await balancesOf(app, eventId)).toMatchObject({ 'dispute-costs': 15_00 });
    expect((await subjectsTo(email)).filter((subject) => subject.includes('dispute'))).toEqual([]);
  });
});

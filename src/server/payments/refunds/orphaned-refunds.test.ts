/** Refunds that the card company has made for us and our books know nothing of, as after restoring an older backup. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent } from '#contract/events.ts';
import { refundErrors, requestRefund } from '#contract/refunds.ts';
import { newId } from '#server/platform/ids.ts';
import { moneyErrorsExceptWebhooks } from '#tests/support/disputes.ts';
import { until } from '#tests/support/metrics.ts';
import { clearFaults, paymentOf, planFault, stripeOf } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventOnSale, logInAgain } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { applyRefunds } from './apply-refunds.ts';
import { retryRefusedRefunds, sendWaitingRefunds } from './send-waiting-refunds.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  // A balance at the card company to refund from: its own fee is never given back.
  await soldTickets();
});
afterEach(() => clearFaults(app));
afterAll(() => app.close());

type Sold = Awaited<ReturnType<typeof soldTickets>>;

/** An order of three, with the ids of its tickets in the order of its codes. */
async function soldTickets() {
  const event = await eventOnSale(app);
  const order = await buyTickets(app, event.eventId, [{ ticketName: 'General admission', quantity: 3 }]);
  await app.settle();
  const codes = codesOf(order);
  const rows = await app.db
    .selectFrom('tickets')
    .where('eventId', '=', event.eventId)
    .select(['id', 'orderId', 'confirmationNumber'])
    .execute();
  const tickets = codes.map((code) => rows.find(({ confirmationNumber }) => confirmationNumber === code)?.id ?? '');
  return { ...event, codes, tickets, orderId: rows[0]?.orderId ?? '' };
}

/** What our own call would have left there, of which nobody tells us. */
async function forgottenRefund({ eventId, orderId }: Sold, ticketId?: string) {
  await planFault(app, { webhook: 'drop', times: 1000 });
  const metadata = {
    refund_id: newId(),
    order_id: orderId,
    event_id: eventId,
    ...(ticketId && { ticket_id: ticketId }),
  };
  await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId), amount: 24_00, metadata });
}

const ask = ({ eventId, codes }: Sold, ticket: number) =>
  app.call(requestRefund, { eventId, confirmationCode: codes[ticket] ?? '' });
const refused = { status: 409, body: { msg: refundErrors['not-accepted'] } };

/** The comparison with the card company's books, for this payment. */
async function compare({ eventId }: Sold): Promise<void> {
  const reading = await app.deps.cards.readPayment(await paymentOf(app, eventId));
  if (!reading?.order) throw new Error('the payment names no order');
  await applyRefunds(app.deps, reading.order, reading);
}

async function cancel(sold: Sold): Promise<void> {
  const { visitor, eventId } = sold;
  await logInAgain(sold);
  expect(await visitor.call(cancelEvent, { eventId })).toMatchObject({ status: 200 });
  await app.settle();
  for (let times = 1; times <= 2; times++) {
    await app.advance({ hours: 3 });
    await retryRefusedRefunds(app.deps);
    await sendWaitingRefunds(app.deps);
    await app.settle();
  }
}

async function givenBack({ eventId }: Sold): Promise<number[]> {
  const refunds = await stripeOf(app).refunds.list({ payment_intent: await paymentOf(app, eventId), limit: 100 });
  return refunds.data.map(({ amount }) => amount);
}

async function statesOf({ eventId, tickets }: Sold): Promise<(string | undefined)[]> {
  const rows = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select(['id', 'state']).execute();
  return tickets.map((ticket) => rows.find(({ id }) => id === ticket)?.state);
}

async function untilFaultIsUsed(): Promise<void> {
  const isPlanned = async () => (await fetch(`${app.sandboxUrl}/_sandbox/faults`)).text();
  await until('the call is under way', async () => !(await isPlanned()).includes('slow'), 5);
}

describe('a refund of one ticket that our books have forgotten', () => {
  it('is written down with its ticket by the comparison, and the other tickets are given back as ever', async () => {
    const sold = await soldTickets();
    await forgottenRefund(sold, sold.tickets[0]);
    await Promise.all([compare(sold), compare(sold)]);
    expect(await statesOf(sold)).toEqual(['refunded', 'valid', 'valid']);

    expect(await ask(sold, 0)).toMatchObject({ status: 409 });
    expect(await ask(sold, 1)).toMatchObject({ status: 200 });
    expect(await ask(sold, 2)).toMatchObject({ status: 200 });

    expect(await givenBack(sold)).toEqual([24_00, 24_00, 24_00]);
    expect(await statesOf(sold)).toEqual(['refunded', 'refunded', 'refunded']);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('stands in no way of the others before the comparison, and is the answer to whoever asks for it again', async () => {
    const sold = await soldTickets();
    await forgottenRefund(sold, sold.tickets[0]);

    expect(await ask(sold, 1)).toMatchObject({ status: 200 });
    expect(await givenBack(sold)).toHaveLength(2);
    expect(await ask(sold, 0)).toMatchObject({ status: 200 });

    expect(await givenBack(sold)).toHaveLength(2);
    expect(await statesOf(sold)).toEqual(['refunded', 'refunded', 'valid']);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('counts when the event is cancelled, whether before the comparison or after it', async () => {
    const [before, after] = [await soldTickets(), await soldTickets()];
    for (const sold of [before, after]) await forgottenRefund(sold, sold.tickets[1]);
    await compare(before);
    for (const sold of [before, after]) await cancel(sold);

    for (const sold of [before, after]) {
      expect(await givenBack(sold)).toEqual([24_00, 24_00, 24_00]);
      expect(await statesOf(sold)).toEqual(['refunded', 'refunded', 'refunded']);
    }
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });
});

describe('a forgotten refund of which nobody knows the ticket', () => {
  it('moves no money for whoever asks, and all that is left when the event is cancelled', async () => {
    const [nameless, renewed] = [await soldTickets(), await soldTickets()];
    await forgottenRefund(nameless);
    // An order that was open in the backup and is completed anew has other tickets than those that were refunded.
    await forgottenRefund(renewed, newId());
    for (const sold of [nameless, renewed]) {
      expect(await ask(sold, 0)).toMatchObject(refused);
      await compare(sold);
      expect(await ask(sold, 1)).toMatchObject(refused);
      expect(await givenBack(sold)).toEqual([24_00]);

      await cancel(sold);
      expect(await givenBack(sold)).toEqual([24_00, 24_00, 24_00]);
    }
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });
});

describe('two refunds of one order at the same moment', () => {
  it('are both accepted, though one reads the list before the other is made and after it is claimed', async () => {
    const sold = await soldTickets();
    await planFault(app, { match: { method: 'GET', path: '/v1/refunds' }, mode: 'slow', ms: 2_500, times: 1 });
    const first = ask(sold, 0);
    await untilFaultIsUsed();
    expect(await ask(sold, 1)).toMatchObject({ status: 200 });

    expect(await first).toMatchObject({ status: 200 });
    expect(await statesOf(sold)).toEqual(['refunded', 'refunded', 'valid']);
    expect(await givenBack(sold)).toHaveLength(2);
  });
});

/** A buyer who refunds again and again, where money is real. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { retentionDays } from '#domain/retention.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { buyTickets, cardWith, codesOf, eventOnSale, expectOk } from '#tests/support/people.ts';
import { raceForLock } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ takesRealMoney: true });
});
afterAll(() => app.close());
// Earlier tests used the same cards.
beforeEach(() => app.advance({ days: 31 }));

const VISA = '4242 4242 4242 4242';
const MASTERCARD = '5555 5555 5555 4444';
const ZONE = 'America/New_York';
const DAY = 24 * 60 * 60 * 1000;

const inDays = (days: number) => localTimeOf(new Date(app.now().getTime() + days * DAY), ZONE);

const eventInWeeks = () =>
  eventOnSale(app, {
    startDate_startTime: inDays(80),
    endDate_endTime: inDays(81),
    tickets: [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 20, ticketQuantity: 100 }],
  });

type Event = Awaited<ReturnType<typeof eventInWeeks>>;

interface Buyer {
  email: string;
  card: string;
}

async function buy({ eventId }: Event, { email, card }: Buyer, quantity = 1): Promise<string[]> {
  return codesOf(await buyTickets(app, eventId, [{ ticketName: 'Seat', quantity }], email, cardWith(card)));
}

const refund = ({ eventId }: Event, confirmationCode = '') => app.call(requestRefund, { eventId, confirmationCode });

async function refundOrders(event: Event, count: number, buyer: (index: number) => Buyer): Promise<void> {
  for (let index = 0; index < count; index++) expectOk(await refund(event, (await buy(event, buyer(index)))[0]));
}

const ASK = { status: 409, body: errorBody('refund.ask-organizer') };
const one = { email: 'again@example.com', card: VISA };
const hashes = async ({ eventId }: Event) => {
  const orders = await app.db.selectFrom('orders').where('eventId', '=', eventId).select('cardHash').execute();
  return orders.filter(({ cardHash }) => cardHash !== null).length;
};

describe('after five refunded orders', () => {
  it('the same card has to ask the organizer, and another buyer is served [POLICY-7]', async () => {
    const event = await eventInWeeks();
    await refundOrders(event, 5, (index) => ({ email: `${index}@example.com`, card: VISA }));

    const [same] = await buy(event, { email: 'sixth@example.com', card: VISA });
    const [other] = await buy(event, { email: 'other@example.com', card: MASTERCARD });

    expect(await refund(event, same)).toMatchObject(ASK);
    expect(await refund(event, other)).toMatchObject({ status: 200 });
  });

  it('the same address has to ask over all events, in any case, for 30 days [POLICY-7]', async () => {
    const [first, second] = [await eventInWeeks(), await eventInWeeks()];
    await refundOrders(first, 3, () => one);
    await refundOrders(second, 2, () => ({ email: 'AGAIN@example.com', card: MASTERCARD }));
    const [code] = await buy(second, { email: 'Again@Example.com', card: '4000 0000 0000 0077' });

    expect(await refund(second, code)).toMatchObject(ASK);
    await app.advance({ days: 30 });
    expect(await refund(second, code)).toMatchObject({ status: 200 });
  });

  it('further tickets of a counted order are refundable [POLICY-7]', async () => {
    const event = await eventInWeeks();
    const [first, further] = await buy(event, one, 2);
    expectOk(await refund(event, first));
    await refundOrders(event, 4, () => one);

    expect(await refund(event, (await buy(event, one))[0])).toMatchObject(ASK);
    expect(await refund(event, further)).toMatchObject({ status: 200 });
  });

  it('those of moved and cancelled events do not count, and are never denied [POLICY-7]', async () => {
    const [kept, moved, cancelled] = [await eventInWeeks(), await eventInWeeks(), await eventInWeeks()];
    const [before] = await buy(moved, one);
    const [later] = await buy(moved, one);
    const { visitor, eventId } = moved;
    await editEventOf(app, { visitor, eventId }, { street: '1 Elsewhere' });
    expectOk(await refund(moved, before));
    await refundOrders(cancelled, 1, () => one);
    const [held] = await buy(cancelled, one);
    expectOk(await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId }));
    await refundOrders(kept, 5, () => one);

    expect(await refund(kept, (await buy(kept, one))[0])).toMatchObject(ASK);
    expect(await refund(moved, later)).toMatchObject({ status: 200 });
    expect(await refund(cancelled, held)).toMatchObject({ status: 200 });
  });

  it('two requests at once are counted one after the other [POLICY-7]', async () => {
    const event = await eventInWeeks();
    await refundOrders(event, 4, () => one);
    const codes = [...(await buy(event, one)), ...(await buy(event, one))];
    // A job that writes a refund would wait for the lock, and count as one of the two.
    await app.settle();

    // Both have counted before either writes, unless the second waits for the first.
    const lock = sql`lock table refunds in share mode`;
    const replies = await raceForLock(
      app,
      lock,
      codes.map((code) => () => refund(event, code)),
    );

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('test cards are not counted where no money is real [POLICY-7]', async () => {
    const event = await eventInWeeks();
    app.deps.takesRealMoney = false;
    try {
      await refundOrders(event, 6, () => one);
    } finally {
      app.deps.takesRealMoney = true;
    }
  });
});

it('a hash of the card is kept for 60 days after the refunds have closed [POLICY-7]', async () => {
  const event = await eventInWeeks();
  await buy(event, one);
  await app.advance({ days: 81 + 1 + retentionDays.cardHash - 1 });
  await purge(app.deps);
  expect(await hashes(event)).toBe(1);

  await app.advance({ days: 1 });
  await purge(app.deps);
  expect(await hashes(event)).toBe(0);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { checkoutSession, readOrder, resendOrder } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { orderToken } from '#server/orders/order-link.ts';
import { decideDispute, disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  openCheckout,
  takeFreeTickets,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const DAY = 24 * 60 * 60 * 1000;

let buyers = 0;
const newAddress = () => `order-${++buyers}@example.com`;

const tokenOf = async (order: ReturnType<typeof buyTickets>) => (await order).details?.token ?? '';

/** A paid order, and how its page answers. */
async function sell(quantity = 1, email = newAddress()) {
  const event = await eventOnSale(app);
  const order = await buyTickets(app, event.eventId, generalAdmission(quantity), email);
  const token = order.details?.token ?? '';
  return {
    event,
    order,
    token,
    email,
    codes: codesOf(order),
    read: async () => expectOk(await app.call(readOrder, { token })),
  };
}

describe('the link to an order', () => {
  it('is in its emails and opens what the checkout session opens [ORDER-1]', async () => {
    const { order, token, email, read } = await sell(2);

    const [message] = await emailsTo(app, email);
    expect(message?.text).toContain(`${app.publicUrl}/order/${token}`);
    expect(await read()).toEqual(expectOk(await app.call(checkoutSession, { sessionId: order.sessionId })));
  });

  it('opens nothing if a character of it is changed, or if it was made for something else', async () => {
    const { token, event } = await sell();
    const [eventId = '', orderId = ''] = token.split('.');
    const other = (await sell()).token.split('.');
    const { handle } = await freeOrder();
    for (const forged of [
      `${eventId}.${orderId}.${'A'.repeat(43)}`,
      `${other[0]}.${orderId}.${token.split('.')[2]}`,
      `${eventId}.${orderId}`,
      handle,
      event.eventId,
      '',
    ])
      expect(await app.visitor().send(readOrder, { token: forged })).toMatchObject({
        status: 404,
        body: { code: 'checkout.unknown' },
      });
  });

  it('works until a month after the event', async () => {
    const late = await startTestApp();
    const event = await eventOnSale(late);
    const { details } = await buyTickets(late, event.eventId, generalAdmission(1));
    const token = details?.token ?? '';
    expect(details?.areRefundsOpen).toBe(true);
    await late.advance({ days: 29 });
    expect(expectOk(await late.call(readOrder, { token })).details?.areRefundsOpen).toBe(false);
    await late.advance({ days: 3 });
    for (const call of [readOrder, resendOrder])
      expect(await late.visitor().send(call, { token })).toMatchObject({ status: 404 });
    await late.close();
  });

  it('says of an unpaid order only that it is unpaid', async () => {
    const { eventId } = await eventOnSale(app);
    await openCheckout(app, eventId, generalAdmission(1));
    const { id: orderId } = await app.db
      .selectFrom('orders')
      .where('eventId', '=', eventId)
      .select('id')
      .executeTakeFirstOrThrow();
    const token = orderToken(app.deps, { eventId, orderId, linkVersion: 0 });
    expect(expectOk(await app.call(readOrder, { token }))).toMatchObject({ status: 'unpaid', order: null });
  });
});

async function freeOrder() {
  const event = await eventOnSale(app, {
    tickets: [{ ticketName: 'General admission', ticketDescription: 'x', ticketPrice: 0, ticketQuantity: 9 }],
  });
  const { id } = await openCheckout(app, event.eventId, generalAdmission(1)).then(({ sessionId }) => ({
    id: sessionId,
  }));
  return { handle: id, event };
}

describe("an order's page", () => {
  it('has the receipt: what each line cost, and a total that is their sum', async () => {
    const { eventId } = await eventOnSale(app);
    const cart = [...generalAdmission(2), { ticketName: 'Balcony', quantity: 1 }];
    const { details } = await buyTickets(app, eventId, cart, newAddress());
    expect(details?.lines).toEqual([
      { ticketName: 'General admission', quantity: 2, unitPriceCents: 2400, promoCode: null },
      { ticketName: 'Balcony', quantity: 1, unitPriceCents: 3850, promoCode: null },
    ]);
    expect(details?.totalCents).toBe(2 * 2400 + 3850);
  });

  it('keeps the place and number of a refunded ticket, without its code [ORDER-3]', async () => {
    const { event, codes, read } = await sell(3);
    const [first = '', second = '', third = ''] = codes;
    expectOk(await app.call(requestRefund, { eventId: event.eventId, confirmationCode: second }));
    await app.settle();

    const { status, confirmationData, details } = await read();

    expect(status).toBe('confirmed');
    expect(confirmationData).toMatchObject([
      { confirmationNumber: first, position: 1, of: 3 },
      { confirmationNumber: third, position: 3, of: 3 },
    ]);
    expect(details?.endedTickets).toEqual([
      { state: 'refunded', ticketName: 'General admission', position: 2, of: 3, priceCents: 2400 },
    ]);
    expect(JSON.stringify(details)).not.toContain(second);
  });

  it('still shows the order once all of it is refunded [ORDER-3]', async () => {
    const { event, codes, read, email } = await sell(1);
    expectOk(await app.call(requestRefund, { eventId: event.eventId, confirmationCode: codes[0] ?? '' }));
    await app.settle();
    expect(await read()).toMatchObject({
      status: 'refunded',
      confirmationData: [],
      order: { email },
      details: { endedTickets: [{ state: 'refunded' }], totalCents: 2400 },
    });
  });

  it('says when a ticket was checked in [ORDER-3]', async () => {
    const { event, codes, read } = await sell(2);
    const attendant = await attendantOf(app, event.eventId, event.attendantCode);
    const [confirmationNumber = ''] = codes;
    expectOk(await attendant.call(checkGuest, { eventId: event.eventId, confirmationNumber }));

    const [scanned, other] = (await read()).confirmationData;

    expect(Math.abs(Date.parse(scanned?.scannedAt ?? '') - app.deps.clock.now().getTime())).toBeLessThan(60_000);
    expect(other).not.toHaveProperty('scannedAt');
  });

  it('says while the bank disputes the payment that its tickets do not scan [ORDER-3]', async () => {
    await fillBalance(app);
    const { event, read } = await sell(1);
    const disputeId = await disputePayment(app, event.eventId);
    expect(await read()).toMatchObject({ status: 'confirmed', confirmationData: [{ isDisputed: true }] });

    await decideDispute(app, disputeId, 'won');
    expect((await read()).confirmationData[0]).not.toHaveProperty('isDisputed');
  });

  it('names the date that the buyer knew if the event was moved since, until it is moved back [ORDER-3]', async () => {
    const { event, order, read } = await sell(1);
    const was = order.order?.startDate_startTime ?? '';
    const moved = await moveBy(event, DAY);
    expect(await read()).toMatchObject({ order: { startDate_startTime: moved }, details: { movedFrom: was } });
    const later = await buyTickets(app, event.eventId, generalAdmission(1), newAddress());
    expect(later.details?.movedFrom).toBeNull();

    await moveBy(event, -DAY);
    expect((await read()).details?.movedFrom).toBeNull();
  });

  it('links to what changed about the page since it was made, and only then [VERS-4]', async () => {
    const { event, read } = await sell(1);
    expect((await read()).details).not.toHaveProperty('hasPageChanged');
    await editEventOf(app, event, { description: 'Louder than ever.' });
    expect((await read()).details).not.toHaveProperty('hasPageChanged');

    await moveBy(event, DAY);
    expect((await read()).details).toMatchObject({ hasPageChanged: true });
    const later = await buyTickets(app, event.eventId, generalAdmission(1), newAddress());
    expect(later.details).not.toHaveProperty('hasPageChanged');
  });

  it('says that the event was cancelled, and what is on its way back [ORDER-3]', async () => {
    const { event, read } = await sell(2);
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    await app.settle();
    const { status, confirmationData, details } = await read();
    expect({ status, confirmationData }).toEqual({ status: 'refunded', confirmationData: [] });
    expect(details).toMatchObject({ isCancelled: true, endedTickets: [{ priceCents: 2400 }, { priceCents: 2400 }] });
  });

  it("has the event's first photo", async () => {
    const { event, read } = await sell(1);
    expect((await read()).details?.photo).toBeNull();
    const content = await posterPhoto('any');
    expectOk(await uploadPhotos(event.visitor, event.eventId, [['one.png', content]]));
    const { photo } = (await read()).details ?? {};
    expect((await fetch(photo ?? '')).headers.get('content-type')).toBe('image/webp');
  });
});

async function moveBy(event: Parameters<typeof editEventOf>[1], ms: number): Promise<string> {
  const { startsAt, endsAt } = await app.db
    .selectFrom('events')
    .where('id', '=', event.eventId)
    .select(['startsAt', 'endsAt'])
    .executeTakeFirstOrThrow();
  const at = (date: Date) => new Date(date.getTime() + ms).toISOString();
  await editEventOf(app, event, { startDate_startTime: at(startsAt), endDate_endTime: at(endsAt) });
  return at(startsAt);
}

describe('emailing the tickets again', () => {
  it('goes to the address of the order, three times an hour', async () => {
    const limited = await startTestApp({ rateLimitScale: 1 });
    const { eventId } = await eventOnSale(limited);
    const email = newAddress();
    const [token, another] = [
      await tokenOf(buyTickets(limited, eventId, generalAdmission(1), email)),
      await tokenOf(buyTickets(limited, eventId, generalAdmission(1), newAddress())),
    ];
    for (let sent = 1; sent <= 3; sent++) {
      expectOk(await limited.call(resendOrder, { token }));
      await limited.settle();
      expect(await emailsTo(limited, email)).toHaveLength(1 + sent);
    }
    expect(await limited.visitor().send(resendOrder, { token })).toMatchObject({ status: 429 });
    expectOk(await limited.call(resendOrder, { token: another }));
    await limited.close();
  });

  it('leaves out refunded tickets, and is denied if none is left', async () => {
    const { event, token, email, codes } = await sell(2);
    const refund = (confirmationCode = '') => app.call(requestRefund, { eventId: event.eventId, confirmationCode });
    expectOk(await refund(codes[0]));
    expectOk(await app.call(resendOrder, { token }));
    await app.settle();
    const again = (await emailsTo(app, email)).find(({ subject }) => subject === 'Basement Brass: your ticket');
    expect(again?.text).toContain('Ticket 2 of 2');
    expect(again?.text).not.toContain(codes[0]);
    expectOk(await refund(codes[1]));
    expect(await app.visitor().send(resendOrder, { token })).toMatchObject({
      body: { code: 'resend.ticket-refunded' },
    });
  });

  it('works for a free order, whose refunds cost nothing', async () => {
    const { event } = await freeOrder();
    const email = newAddress();
    const { details } = await takeFreeTickets(app, event.eventId, generalAdmission(1), { email });
    expectOk(await app.call(resendOrder, { token: details?.token ?? '' }));
    expect((await emailsTo(app, email)).filter(({ subject }) => subject.endsWith('your ticket'))).toHaveLength(2);
  });
});

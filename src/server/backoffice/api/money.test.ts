/** What programs read about refunds and payouts. */
import { describe, expect, it } from 'vitest';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { listPayouts } from '#contract/v1/payouts.ts';
import { listRefunds } from '#contract/v1/refunds.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { buyTickets, codesOf, eventOnSale, expectOk, generalAdmission, logInAgain } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const HOUR = 60 * 60 * 1000;

/** Of three tickets at $24, the first is refunded. */
async function refundedEvent() {
  const event = await eventOnSale(app);
  const { eventId } = event;
  const order = await buyTickets(app, eventId, generalAdmission(3));
  const [confirmationCode = ''] = codesOf(order);
  expectOk(await app.call(requestRefund, { eventId, confirmationCode }));
  await app.advance({ minutes: 2 });
  await app.settle();
  return { ...event, key: await newApiKey(event.visitor) };
}

describe('A program', () => {
  it('reads each refund with its ticket and its cents', async () => {
    const { eventId, key } = await refundedEvent();
    const ticket = await app.db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .where('state', '=', 'refunded')
      .select(['id', 'orderId'])
      .executeTakeFirstOrThrow();

    const { body } = await callV1(app, key, listRefunds, { event_id: eventId, order_id: ticket.orderId });
    const ofNoOrder = await callV1(app, key, listRefunds, { order_id: 'unknown' });

    expect(body).toEqual({
      data: [
        {
          id: expect.any(String),
          event_id: eventId,
          order_id: ticket.orderId,
          ticket_id: ticket.id,
          amount_cents: 24_00,
          reason: 'requested',
          state: 'sent',
          created_at: expect.any(String),
          sent_at: expect.any(String),
        },
      ],
      next_cursor: null,
    });
    expect(ofNoOrder.body.data).toEqual([]);
  });

  it('reads a payout whose statement adds up', async () => {
    const event = await refundedEvent();
    const { eventId, key, visitor } = event;
    expect((await callV1(app, key, listPayouts, { event_id: eventId })).body.data).toEqual([]);
    const { latestEndsAt } = await app.db
      .selectFrom('events')
      .where('id', '=', eventId)
      .select('latestEndsAt')
      .executeTakeFirstOrThrow();
    await app.advance({ hours: Math.ceil((latestEndsAt.getTime() - app.now().getTime()) / HOUR) + 25 });
    await logInAgain(event);
    const { totalPayout } = expectOk(await visitor.call(requestPayout, { eventId }));
    await app.settle();

    const { body } = await callV1(app, key, listPayouts, {});
    const [payout] = body.data;

    expect(payout).toMatchObject({ event_id: eventId, number: 1, state: 'paid', transfer_id: expect.any(String) });
    expect(payout?.['amount_cents']).toBe(Math.round(totalPayout * 100));
    const statement = Object(payout?.['statement']) as Record<string, number>;
    const { tickets_sold, gross_cents, ...deductions } = statement;
    expect([tickets_sold, gross_cents]).toEqual([2, 48_00]);
    const deducted = Object.values(deductions).reduce((sum, cents) => sum + cents, 0);
    expect(Number(gross_cents) - deducted).toBe(payout?.['amount_cents']);
  });
});

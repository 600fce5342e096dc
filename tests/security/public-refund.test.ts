/** The refund form, attacked with guessed numbers or one of another event. */
import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import * as contract from '#contract/app/refunds.ts';
import { refundAccepted } from '#messages/refunds.ts';
import { sendWaitingRefunds } from '#server/payments/refunds/send-waiting-refunds.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { clearFaults, movementsAtStripe, planFault } from '#tests/support/money.ts';
import { attendantOf, buyTickets, codesOf, emailsTo, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

async function soldTickets(count = 1) {
  const event = await eventOnSale(app);
  const codes = codesOf(await buyTickets(app, event.eventId, generalAdmission(count), 'buyer@example.com'));
  return { ...event, code: codes[0] ?? '', codes };
}

const ask = (payload: object) => app.server.inject({ method: 'POST', url: contract.requestRefund.path, payload });
const statesOf = async (eventId: string) =>
  (await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute()).map(
    ({ state }) => state,
  );

describe('POST /api/public/request-refund', () => {
  it('answers identically for an unknown number, one of another event and an unknown event', async () => {
    const [{ eventId }, other] = [await soldTickets(), await soldTickets()];

    const replies = await Promise.all([
      ask({ eventId, confirmationCode: '1000000000' }),
      ask({ eventId, confirmationCode: other.code }),
      ask({ eventId: 'no-such-event-00', confirmationCode: other.code }),
      ask({ eventId: '', confirmationCode: other.code }),
      ask({ eventId: other.eventId.toLowerCase() + '%', confirmationCode: other.code }),
    ]);

    const unknown = JSON.stringify(errorBody('refund.unknown-ticket'));
    for (const reply of replies) expect([reply.statusCode, reply.body]).toEqual([404, unknown]);
    expect(await statesOf(other.eventId)).toEqual(['valid']);
  });

  it.each([
    ['nine digits', '123456789'],
    ['eleven digits', '12345678901'],
    ['a number', 1_234_567_890],
    ['a list', ['1234567890']],
    ['digits of another script', '١٢٣٤٥٦٧٨٩٠'],
    ['full-width digits', '１２３４５６７８９０'],
    ['two lines', '1234567890\n1234567890'],
    ['an exponent', '1e00000009'],
    ['a pattern', '__________'],
    ['nothing', undefined],
  ])('rejects the code %s', async (_what, confirmationCode) => {
    const reply = await ask({ eventId: 'no-such-event-00', confirmationCode });

    expect(reply.statusCode).toBe(400);
    expect(Object.keys(reply.json())).toEqual(['code', 'params', 'msg']);
  });

  it('does nothing when the honeypot is filled', async () => {
    const { eventId, code } = await soldTickets();

    const reply = await ask({ eventId, confirmationCode: code, honeypot: 'x' });

    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      errorBody('form.invalid', { field: 'honeypot', reason: 'honeypot.filled' }),
    ]);
    expect(await statesOf(eventId)).toEqual(['valid']);
  });

  it('refunds the price only, to the original card, and emails only the buyer, whatever the body says', async () => {
    const { eventId, code } = await soldTickets();

    const reply = await ask({
      eventId,
      confirmationCode: code,
      email: 'mallory@example.com',
      amount: 99_999,
      ticketPrice: 99_999,
    });
    await app.settle();

    expect([reply.statusCode, reply.json()]).toEqual([200, { msg: refundAccepted, amount: 24 }]);
    expect(reply.cookies).toEqual([]);
    expect(await movementsAtStripe(app, 'refund', eventId)).toMatchObject([{ amount: 24_00 }]);
    expect(await emailsTo(app, 'mallory@example.com')).toEqual([]);
  });

  it('does not refund a ticket that was scanned or already refunded', async () => {
    const { eventId, attendantCode, codes } = await soldTickets(2);
    const [used = '', back = ''] = codes;
    const door = await attendantOf(app, eventId, attendantCode);
    await door.call(checkGuest, { eventId, confirmationNumber: used });
    await ask({ eventId, confirmationCode: back });

    const replies = await Promise.all([used, back].map((confirmationCode) => ask({ eventId, confirmationCode })));

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([409, 409]);
    for (const reply of replies) expect(Object.keys(reply.json())).toEqual(['code', 'params', 'msg']);
    await app.settle();
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
  });

  it('keeps an accepted refund when Stripe fails afterwards: a job sends it, once', async () => {
    const { eventId, code } = await soldTickets();
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_after', times: 2 });

    const reply = await ask({ eventId, confirmationCode: code });

    expect([reply.statusCode, reply.json()]).toEqual([200, { msg: refundAccepted, amount: 24 }]);
    expect(await statesOf(eventId)).toEqual(['refunding']);
    await clearFaults(app);
    await app.advance({ minutes: 2 });
    await sendWaitingRefunds(app.deps);
    expect(await movementsAtStripe(app, 'refund', eventId)).toMatchObject([{ amount: 24_00 }]);
    expect(await statesOf(eventId)).toEqual(['refunded']);
  });

  it('denies refunds once the payout may be requested', async () => {
    const { eventId, code } = await soldTickets();
    await app.advance({ days: 3 });

    const reply = await ask({ eventId, confirmationCode: code });

    expect([reply.statusCode, reply.json()]).toEqual([409, expect.objectContaining({ code: 'refund.window-closed' })]);
    expect(await statesOf(eventId)).toEqual(['valid']);
  });
});

describe('GET /api/public/refund/:eventId/:token', () => {
  it("shows a refund only to its link's holder, and answers identically for every invalid link", async () => {
    const [{ eventId, code }, other] = [await soldTickets(), await soldTickets()];
    await ask({ eventId, confirmationCode: code });
    const statusOf = (event: string, token: string) =>
      app.server.inject(contract.refundStatus.path.replace(':eventId', event).replace(':token', token));

    const replies = await Promise.all([
      statusOf(eventId, 'made-up'),
      statusOf(other.eventId, 'made-up'),
      statusOf('no-such-event-00', 'made-up'),
      statusOf(eventId, code),
    ]);
    for (const reply of replies) expect([reply.statusCode, reply.body]).toEqual([404, replies[0]?.body]);
  });
});

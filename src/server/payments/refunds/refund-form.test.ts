import { describe, expect, it } from 'vitest';
import * as contract from '#contract/app/refunds.ts';
import { refundAccepted } from '#messages/refunds.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { buyTickets, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import { soldTickets } from '#tests/support/sold-tickets.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const request = (eventId: string, confirmationCode: string) =>
  app.call(contract.requestRefund, { eventId, confirmationCode });

const accepted = { status: 200, body: { msg: refundAccepted } };

describe('the refund form', () => {
  it('answers the same for an unknown event and for a number of another event', async () => {
    const { code } = await soldTickets(app);
    const { eventId } = await soldTickets(app);
    const unknown = { status: 404, body: errorBody('refund.unknown-ticket') };

    expect(await request(eventId, code)).toMatchObject(unknown);
    expect(await request(eventId, '1234567890')).toMatchObject(unknown);
    expect(await request('no-such-event-00', code)).toMatchObject(unknown);
  });

  it.each([
    ['a filled honeypot', { confirmationCode: '1234567890', honeypot: 'x' }, 'Spam submission detected.'],
    [
      'a filled honeypot before the digits are validated',
      { confirmationCode: '123', honeypot: 'x' },
      'Spam submission detected.',
    ],
    ['nine digits', { confirmationCode: '123456789' }, 'Confirmation code must be exactly 10 digits.'],
    ['letters', { confirmationCode: '12345abcde' }, 'Confirmation code must be exactly 10 digits.'],
  ])('refuses %s [REF-3]', async (_case, form, msg) => {
    const reply = await app.visitor().send(contract.requestRefund, { eventId: 'no-such-event-00', ...form });

    expect(reply).toMatchObject({ status: 400, body: { msg } });
  });

  it('rate limits wrong numbers but always accepts a correct one', async () => {
    const strict = await startTestApp({ rateLimitScale: 1 });
    try {
      const event = await eventOnSale(strict);
      const order = await buyTickets(strict, event.eventId, generalAdmission(1));
      const { eventId } = event;
      const guess = () => strict.call(contract.requestRefund, { eventId, confirmationCode: '1234567890' });
      for (let attempt = 1; attempt <= 10; attempt++) expect((await guess()).status).toBe(404);

      expect(await guess()).toMatchObject({ status: 429, body: { code: 'rate-limit.exceeded' } });
      const confirmationCode = order.confirmationData[0]?.confirmationNumber ?? '';
      expect(await strict.call(contract.requestRefund, { eventId, confirmationCode })).toMatchObject(accepted);
    } finally {
      await strict.close();
    }
  });
});

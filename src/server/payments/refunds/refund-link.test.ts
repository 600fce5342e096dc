import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { cancelEvent } from '#contract/app/events.ts';
import * as contract from '#contract/app/refunds.ts';
import { refundAccepted, ticketKept } from '#messages/refunds.ts';
import { errorBody } from '#tests/support/error-body.ts';

import { clearFaults, ledgerOf, movementsAtStripe, planFault, reservedOf } from '#tests/support/money.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  generalAdmission,
  takeFreeTickets,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sendRefund } from './send-refund.ts';
import { sendWaitingRefunds } from './send-waiting-refunds.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ refundDelayMinutes: 30 });
});
afterEach(() => clearFaults(app));
afterAll(() => app.close());

let buyers = 0;

/** An order of two tickets with a refund request for one of them. */
async function requestedRefund(testApp: TestApp = app) {
  const event = await eventOnSale(testApp);
  const { eventId } = event;
  const buyerEmail = `link-${++buyers}@example.com`;
  const order = await buyTickets(testApp, eventId, [{ ticketName: 'General admission', quantity: 2 }], buyerEmail);
  await testApp.settle();
  const [code = '', other = ''] = codesOf(order);
  expect(await testApp.call(contract.requestRefund, { eventId, confirmationCode: code })).toMatchObject({
    status: 200,
    body: { msg: refundAccepted },
  });
  const [sent] = await emailsTo(testApp, buyerEmail);
  const token = tokenIn(sent?.text);
  return { ...event, buyerEmail, code, other, token, sent };
}

const tokenIn = (text: string | undefined) => /\/refund\/[\w-]{16}\/([\w-]{43})/.exec(text ?? '')?.[1] ?? '';

const readStatus = (eventId: string, token: string, testApp: TestApp = app) =>
  testApp.call(contract.refundStatus, { eventId, token });
const keep = (eventId: string, token: string) => app.call(contract.keepTicket, { eventId, token });
const tooLate = { status: 409, body: errorBody('refund-link.too-late') };
const unknown = { status: 404, body: errorBody('refund-link.unknown') };

async function takeFreeTicket(eventId: string) {
  return takeFreeTickets(app, eventId, generalAdmission(1), { email: 'free@example.com' });
}

async function refundOf(eventId: string) {
  return app.db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().executeTakeFirstOrThrow();
}

async function stateOf(eventId: string, code: string) {
  const ticket = await app.db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('confirmationNumber', '=', code)
    .select('state')
    .executeTakeFirstOrThrow();
  return ticket.state;
}

describe('a delayed refund', () => {
  it('emails the buyer at once and moves no money', async () => {
    const { eventId, code, token, sent } = await requestedRefund();

    expect(sent?.subject).toBe('Refund requested for Basement Brass');
    expect(sent?.text).toContain('$24.00');
    expect(sent?.text).toContain(code);
    expect(token).toHaveLength(43);
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
    expect(await readStatus(eventId, token)).toMatchObject({
      status: 200,
      body: {
        state: 'scheduled',
        amount: 24,
        ticketName: 'General admission',
        confirmationNumber: code,
        isCancelable: true,
      },
    });
  });

  it('does not call a free ticket canceled before the delay is over', async () => {
    const free = { ticketName: 'General admission', ticketDescription: 'Free', ticketPrice: 0, ticketQuantity: 5 };
    const { eventId } = await eventOnSale(app, { tickets: [free] });
    const [code = ''] = codesOf(await takeFreeTicket(eventId));

    expect(await app.call(contract.requestRefund, { eventId, confirmationCode: code })).toMatchObject({
      status: 200,
      body: { msg: "Cancellation requested. It was free, so there's nothing to refund.", amount: 0 },
    });
    expect(await stateOf(eventId, code)).toBe('refunding');
  });

  it('keeps only a hash of the link', async () => {
    const { eventId, token } = await requestedRefund();

    const { linkHash } = await refundOf(eventId);
    expect(linkHash).toHaveLength(32);
    const emails = await app.db.selectFrom('emailOutbox').select('params').execute();
    expect(JSON.stringify(emails)).not.toContain(token);
  });

  it('is shown at check-in', async () => {
    const { eventId, code, attendantCode } = await requestedRefund();
    const door = await attendantOf(app, eventId, attendantCode);

    expect(await door.call(checkGuest, { eventId, confirmationNumber: code })).toMatchObject({
      status: 409,
      body: { code: 'check-in.refunding' },
    });
  });

  it('is sent after the delay and can then no longer be stopped', async () => {
    const { eventId, code, token, buyerEmail } = await requestedRefund();

    const { id: refundId } = await refundOf(eventId);
    await app.advance({ minutes: 29 });
    await sendWaitingRefunds(app.deps);
    await sendRefund(app.deps, { eventId, refundId });
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
    await app.advance({ minutes: 2 });
    await sendWaitingRefunds(app.deps);
    await sendWaitingRefunds(app.deps);

    expect(await movementsAtStripe(app, 'refund', eventId)).toMatchObject([{ amount: 24_00, status: 'succeeded' }]);
    expect(await stateOf(eventId, code)).toBe('refunded');
    expect(await reservedOf(app, eventId)).toBe(1);
    expect(await keep(eventId, token)).toMatchObject(tooLate);
    expect(await readStatus(eventId, token)).toMatchObject({ body: { state: 'settled', isCancelable: false } });
    // The email about the sent refund has the same link.
    const [sent, ...earlier] = await emailsTo(app, buyerEmail);
    expect(sent?.subject).toBe('Your $24.00 refund for Basement Brass');
    expect(tokenIn(sent?.text)).toBe(token);
    expect(earlier).toHaveLength(2);
  });
});

describe('stopping a refund', () => {
  it('keeps the ticket and accepts a second click', async () => {
    const { eventId, code, token, attendantCode } = await requestedRefund();

    const success = { status: 200, body: { msg: ticketKept } };
    expect(await keep(eventId, token)).toMatchObject(success);
    expect(await keep(eventId, token)).toMatchObject(success);

    expect(await stateOf(eventId, code)).toBe('valid');
    expect(await readStatus(eventId, token)).toMatchObject({
      body: { state: 'restored', endedAt: expect.any(String) },
    });
    await app.advance({ hours: 1 });
    await sendWaitingRefunds(app.deps);
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
    expect(await ledgerOf(app, eventId, 'refund')).toEqual([]);
    expect(await reservedOf(app, eventId)).toBe(2);
    const door = await attendantOf(app, eventId, attendantCode);
    expect((await door.call(checkGuest, { eventId, confirmationNumber: code })).status).toBe(200);
  });

  it('allows a later refund request with a new link', async () => {
    const { eventId, code, token, buyerEmail } = await requestedRefund();
    await keep(eventId, token);

    expect((await app.call(contract.requestRefund, { eventId, confirmationCode: code })).status).toBe(200);

    const [sent] = await emailsTo(app, buyerEmail);
    expect(tokenIn(sent?.text)).not.toBe(token);
    expect(await readStatus(eventId, token)).toMatchObject({ body: { state: 'restored' } });
    expect(await readStatus(eventId, tokenIn(sent?.text))).toMatchObject({ body: { state: 'scheduled' } });
  });

  it('does not happen when a link scanner opens the page', async () => {
    const { eventId, code, token } = await requestedRefund();

    await readStatus(eventId, token);
    await app.visitor().fetch(`/api/public/keep-ticket?eventId=${eventId}&token=${token}`);
    await app.visitor().fetch(`/refund/${eventId}/${token}`);

    expect(await stateOf(eventId, code)).toBe('refunding');
  });

  it('is denied after the event was cancelled', async () => {
    const { eventId, code, token, visitor } = await requestedRefund();
    await visitor.call(cancelEvent, { eventId });

    expect(await keep(eventId, token)).toMatchObject(tooLate);
    expect(await readStatus(eventId, token)).toMatchObject({ body: { isCancelable: false } });
    await app.advance({ minutes: 31 });
    await sendWaitingRefunds(app.deps);
    expect(await stateOf(eventId, code)).toBe('refunded');
  });
});

describe('stopping and sending at the same time', () => {
  it('stops the refund if the buyer locks the row first', async () => {
    const { eventId, code, token } = await requestedRefund();
    const { id: refundId } = await refundOf(eventId);
    await app.advance({ minutes: 29 });

    const { keeping, sending } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('refunds').where('eventId', '=', eventId).select('id').forUpdate().execute();
      const keeping = keep(eventId, token);
      await app.untilBlocked(1);
      await app.advance({ minutes: 2 });
      const sending = sendRefund(app.deps, { eventId, refundId });
      await app.untilBlocked(2);
      return { keeping, sending };
    });
    await sending;

    expect(await keeping).toMatchObject({ status: 200 });
    expect(await movementsAtStripe(app, 'refund', eventId)).toEqual([]);
    expect(await stateOf(eventId, code)).toBe('valid');
    expect((await refundOf(eventId)).state).toBe('restored');
  });

  it('sends the refund if the buyer’s lock comes too late', async () => {
    const { eventId, code, token } = await requestedRefund();
    const { id: refundId } = await refundOf(eventId);

    // The buyer's request starts in time, but waits for the event's row until the refund is due.
    const { keeping, sending } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', eventId).select('id').forUpdate().execute();
      const keeping = keep(eventId, token);
      await app.untilBlocked(1);
      await app.db.updateTable('refunds').set({ sendAfter: sql`business_now()` }).where('id', '=', refundId).execute();
      const sending = sendRefund(app.deps, { eventId, refundId });
      await app.untilBlocked(2);
      return { keeping, sending };
    });
    await sending;

    expect(await keeping).toMatchObject(tooLate);
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
    expect(await stateOf(eventId, code)).toBe('refunded');
    expect((await refundOf(eventId)).state).toBe('sent');
  });

  it('denies stopping once Stripe may have received the call', async () => {
    const { eventId, code, token } = await requestedRefund();
    await app.advance({ minutes: 31 });
    await planFault(app, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'drop_before', times: 2 });
    await sendWaitingRefunds(app.deps);

    expect((await refundOf(eventId)).state).toBe('claimed');
    expect(await keep(eventId, token)).toMatchObject(tooLate);
    expect(await stateOf(eventId, code)).toBe('refunding');
    expect(await readStatus(eventId, token)).toMatchObject({ body: { state: 'sending' } });
  });
});

describe('guessing links', () => {
  it('reveals nothing and is rate limited', async () => {
    const strict = await startTestApp({ rateLimitScale: 1, refundDelayMinutes: 30 });
    try {
      const { eventId, token } = await requestedRefund(strict);
      const guess = () => readStatus(eventId, 'x'.repeat(43), strict);
      for (let attempt = 1; attempt <= 60; attempt++) expect(await guess()).toMatchObject(unknown);

      expect(await guess()).toMatchObject({ status: 429, body: { code: 'rate-limit.exceeded' } });
      expect(await readStatus(eventId, token, strict)).toMatchObject({ status: 200 });
      expect(await readStatus('no-such-event-00', token, strict)).toMatchObject({ status: 429 });
    } finally {
      await strict.close();
    }
  });
});

/** Tickets that went to another person: the door, refunds, emails. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInDashboard, syncScans } from '#contract/app/check-in-devices.ts';
import { resendOrder } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { resendTicket } from '#contract/app/guests.ts';
import { keepTicket, refundStatus, requestRefund } from '#contract/app/refunds.ts';
import { emailMyTickets } from '#contract/app/sales/find-tickets.ts';
import { readTicket, refundTicket, transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { hashNumber } from '#server/checkin/offline-list/hash-number.ts';
import { OfflineDevice } from '#tests/support/offline-device.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { newAddress, scan, sold, ticketLinkOf, transferred } from '#tests/support/transferred-tickets.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('a transferred ticket at the door', () => {
  it('admits with its new number only, and the old one says when it was transferred [HOLDER-3]', async () => {
    const clock = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', timeStyle: 'short' });
    const before = clock.format(app.now());
    const { eventId, was, code, atDoor } = await transferred(app);
    const when = expect.toBeOneOf([before, clock.format(app.now())]);
    const device = await atDoor();
    expect(await scan(device, eventId, was)).toMatchObject({
      status: 409,
      body: { code: 'check-in.transferred', params: { when, isToday: true } },
    });
    expectOk(await scan(device, eventId, code));
    expect(await scan(device, eventId, was)).toMatchObject({ body: { code: 'check-in.transferred' } });
  });

  it('names the day of a transfer that was not today', async () => {
    const { eventId, was, atDoor } = await transferred(app);
    // A day has up to 25 hours.
    await app.advance({ hours: 26 });
    expect(await scan(await atDoor(), eventId, was)).toMatchObject({ body: { params: { isToday: false } } });
  });

  it('does not count as a guess', async () => {
    const strict = await startTestApp({ rateLimitScale: 1 });
    const event = await eventOnSale(strict);
    const order = await buyTickets(strict, event.eventId, generalAdmission(1));
    const token = order.details?.token ?? '';
    expectOk(await strict.call(transferTicket, { token, position: 1, email: newAddress() }));
    const device = await attendantOf(strict, event.eventId, event.attendantCode);
    for (let attempts = 0; attempts < 185; attempts++)
      expect(await scan(device, event.eventId, codesOf(order)[0] ?? '')).toMatchObject({ status: 409 });
    await strict.close();
  });

  it('reaches offline lists as a change of the same ticket', async () => {
    const { eventId, codes, atDoor, transfer } = await sold(app, 2);
    const offline = new OfflineDevice(await atDoor(), eventId);
    const { salt, bits } = await offline.poll();
    const before = new Map(offline.tickets);
    const holder = newAddress();
    expectOk(await transfer(1, holder));
    const [code = ''] = codesOf(expectOk(await app.call(readTicket, { token: await ticketLinkOf(app, holder) })));
    await offline.pollUntilChanged();
    const hashes = [...offline.tickets.values()].map(({ hash }) => hash);
    expect([...offline.tickets.keys()].sort()).toEqual([...before.keys()].sort());
    expect(hashes).toContain(hashNumber(salt, code, bits));
    expect(hashes).not.toContain(hashNumber(salt, codes[0] ?? '', bits));
  });

  it('reports an old number that was admitted offline, and still admits the new one', async () => {
    const { eventId, visitor, was, code, atDoor } = await transferred(app);
    const device = await atDoor();
    const scans = [{ scanId: randomUUID(), confirmationNumber: was, at: app.now().getTime() }];
    for (let sync = 1; sync <= 2; sync++)
      expect(expectOk(await device.call(syncScans, { eventId, scans })).results).toMatchObject([
        { result: 'transferred' },
      ]);
    const { conflicts } = expectOk(await visitor.call(checkInDashboard, { eventId }));
    expect(conflicts).toMatchObject([{ result: 'transferred', ticketName: 'General admission', firstAt: null }]);
    expectOk(await scan(device, eventId, code));
  });
});

describe('the refund of a transferred ticket', () => {
  it('is only the payer’s, from the order’s page: the money goes to their card, and both are informed [HOLDER-4]', async () => {
    const { eventId, token, ticket, was, code, payer, holder, atDoor, read } = await transferred(app, 2);
    for (const confirmationCode of [was, code])
      expect(await app.call(requestRefund, { eventId, confirmationCode })).toMatchObject({
        status: 409,
        body: { code: 'refund.transferred' },
      });
    expect(await app.call(refundTicket, { token: ticket, position: 1 })).toMatchObject({ status: 404 });

    expect(expectOk(await app.call(refundTicket, { token, position: 1 })).amount).toBe(24);
    await app.settle();

    const refunds = await app.db
      .selectFrom('refunds')
      .where('eventId', '=', eventId)
      .select(['cents', 'state'])
      .execute();
    expect(refunds).toEqual([{ cents: 2400, state: 'sent' }]);
    const device = await atDoor();
    expect(await scan(device, eventId, was)).toMatchObject({ body: { code: 'check-in.transferred' } });
    expect(await scan(device, eventId, code)).toMatchObject({ body: { code: 'check-in.refunded' } });
    const toPayer = (await emailsTo(app, payer)).find(
      ({ subject }) => subject === 'Your $24.00 refund for Basement Brass',
    );
    expect(toPayer?.text).toContain('General admission');
    expect(toPayer?.text).not.toContain(code);
    const toHolder = (await emailsTo(app, holder)).find(({ subject }) => subject.endsWith('was refunded'));
    expect(toHolder?.text).toContain('The money went to the card that paid.');
    expect(await read()).toMatchObject({ status: 'confirmed', details: { endedTickets: [{ state: 'refunded' }] } });
    expect(expectOk(await app.call(readTicket, { token: ticket }))).toMatchObject({
      status: 'refunded',
      confirmationData: [],
    });
  });

  it('can be stopped by the payer while it waits, and the holder learns it', async () => {
    const slow = await startTestApp({ refundDelayMinutes: 60 });
    const event = await eventOnSale(slow);
    const order = await buyTickets(slow, event.eventId, generalAdmission(1), 'payer@example.com');
    const token = order.details?.token ?? '';
    expectOk(await slow.call(transferTicket, { token, position: 1, email: 'holder@example.com' }));
    expectOk(await slow.call(refundTicket, { token, position: 1 }));
    await slow.settle();
    const subjects = async (address: string) => (await emailsTo(slow, address)).map(({ subject }) => subject);
    expect(await subjects('holder@example.com')).toContain('Your ticket for Basement Brass is being refunded');
    const requested = (await emailsTo(slow, 'payer@example.com')).find(({ subject }) =>
      subject.startsWith('Refund requested'),
    );
    const [, link = ''] = /\/refund\/[\w-]+\/([\w-]+)/.exec(requested?.text ?? '') ?? [];
    const status = expectOk(await slow.call(refundStatus, { eventId: event.eventId, token: link }));
    expect(status.confirmationNumber).toBeNull();
    expectOk(await slow.call(keepTicket, { eventId: event.eventId, token: link }));
    await slow.settle();
    expect(await subjects('holder@example.com')).toContain('Your ticket for Basement Brass works again');
    await slow.close();
  });

  it('comes with a cancelled event, and both learn it', async () => {
    const { eventId, visitor, payer, holder } = await transferred(app);
    expectOk(await visitor.call(cancelEvent, { eventId }));
    await app.settle();
    const cancelled = async (address: string) =>
      (await emailsTo(app, address)).find(({ subject }) => subject.endsWith('has been cancelled'))?.text;
    expect(await cancelled(payer)).toContain("We're refunding $24.00 to your card");
    expect(await cancelled(holder)).not.toContain('your card');
  });
});

describe('emails about a transferred ticket', () => {
  it('resends leave it out for the buyer, and reach the holder with a link to that ticket alone', async () => {
    const { eventId, visitor, token, payer, holder, ticket, code, codes } = await transferred(app, 2);
    expectOk(await app.call(resendOrder, { token }));
    await app.settle();
    const [again] = (await emailsTo(app, payer)).filter(({ subject }) => subject === 'Basement Brass: your ticket');
    expect(again?.text).toContain(codes[1]);
    expect(again?.text).not.toContain(code);

    expectOk(await visitor.call(resendTicket, { email: holder, confirmationNumber: code }));
    await app.settle();
    const [own] = (await emailsTo(app, holder)).filter(({ subject }) => subject === 'Basement Brass: your ticket');
    expect(own?.text).toContain(`/ticket/${ticket}`);
    expect(own?.text).not.toContain('/order/');
    expect(eventId).not.toBe('');
  });

  it('find my tickets sends each the links to their own', async () => {
    const { payer, holder, ticket, token } = await transferred(app, 1);
    for (const email of [payer, holder]) expectOk(await app.call(emailMyTickets, { email }));
    await app.settle();
    const found = async (address: string) =>
      (await emailsTo(app, address)).find(({ subject }) => subject === 'Your tickets for Basement Brass')?.text;
    expect(await found(payer)).toBeUndefined();
    expect(await found(holder)).toContain(`/ticket/${ticket}`);
    expect(await found(holder)).not.toContain(token);
  });
});

/** Tickets that go to another person: numbers, links, emails, the door, refunds. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { checkInDashboard, syncScans } from '#contract/app/check-in-devices.ts';
import { readOrder, resendOrder } from '#contract/app/checkout.ts';
import { cancelEvent, editTickets, eventTickets } from '#contract/app/events.ts';
import { resendTicket } from '#contract/app/guests.ts';
import { keepTicket, refundStatus, requestRefund } from '#contract/app/refunds.ts';
import { emailMyTickets } from '#contract/app/sales/find-tickets.ts';
import { nameTickets } from '#contract/app/sales/order-names.ts';
import { ticketsPdf } from '#contract/app/sales/ticket-files.ts';
import { readTicket, refundTicket, transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { hashNumber } from '#server/checkin/offline-list/hash-number.ts';
import { disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { askBuyers, buyWithDetails } from '#tests/support/guest-forms.ts';
import { advanceTo } from '#tests/support/money.ts';
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
import { raceFor } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

let people = 0;
const newAddress = () => `person-${++people}@example.com`;

async function sold(quantity = 1, seller?: Awaited<ReturnType<typeof eventOnSale>>) {
  const event = seller ?? (await eventOnSale(app));
  const { eventId, attendantCode } = event;
  const payer = newAddress();
  const order = await buyTickets(app, eventId, generalAdmission(quantity), payer);
  const token = order.details?.token ?? '';
  return {
    ...event,
    payer,
    token,
    codes: codesOf(order),
    read: async () => expectOk(await app.call(readOrder, { token })),
    transfer: (position = 1, email = newAddress()) => app.call(transferTicket, { token, position, email }),
    atDoor: () => attendantOf(app, eventId, attendantCode),
  };
}

/** The token of the newest link to a ticket in the inbox. */
async function ticketLinkOf(email: string): Promise<string> {
  const [token] = (await emailsTo(app, email)).flatMap(({ text }) => /\/ticket\/([\w.-]+)/.exec(text)?.[1] ?? []);
  return token ?? '';
}

/** Transfers the first ticket of an order. */
async function transferred(quantity = 1) {
  const order = await sold(quantity);
  const holder = newAddress();
  expectOk(await order.transfer(1, holder));
  const ticket = await ticketLinkOf(holder);
  const page = expectOk(await app.call(readTicket, { token: ticket }));
  return { ...order, holder, ticket, page, was: order.codes[0] ?? '', code: codesOf(page)[0] ?? '' };
}

const scan = (device: Awaited<ReturnType<typeof attendantOf>>, eventId: string, confirmationNumber: string) =>
  device.call(checkGuest, { eventId, confirmationNumber, scanId: randomUUID() });

describe('transferring a ticket', () => {
  it('gives it a new number, which only its new holder sees [HOLDER-2 HOLDER-3 HOLDER-4]', async () => {
    const { holder, codes, page, code, was, read, payer } = await transferred(3);

    expect(code).toMatch(/^[1-9]\d{9}$/);
    expect(code).not.toBe(was);
    expect(page).toMatchObject({
      status: 'confirmed',
      confirmationData: [{ confirmationNumber: code, position: 1, of: 3 }],
      order: { email: holder },
      details: { isHolder: true, areRefundsOpen: false, lines: [], totalCents: 0, endedTickets: [] },
    });
    for (const other of [...codes, payer]) expect(JSON.stringify(page)).not.toContain(other);

    const buyers = await read();
    expect(codesOf(buyers)).toEqual(codes.slice(1));
    expect(buyers).toMatchObject({
      status: 'confirmed',
      order: { email: payer },
      details: { endedTickets: [{ state: 'transferred', position: 1, of: 3, priceCents: 2400 }] },
    });
    for (const theirs of [code, holder]) expect(JSON.stringify(buyers)).not.toContain(theirs);
  });

  it('emails both: the new holder a link to that ticket, the one before none [HOLDER-2]', async () => {
    const { holder, payer, token, code, was } = await transferred();
    const [received] = await emailsTo(app, holder);
    expect(received?.subject).toBe('You have a ticket for "Basement Brass"');
    const given = (await emailsTo(app, payer)).find(({ subject }) => subject.includes('was transferred'));
    for (const link of [token, '/ticket/', '/order/', code, was, holder]) expect(given?.text).not.toContain(link);
    expect(received?.text).not.toContain(payer);
  });

  it('ends the link of the holder before, and goes on three times at most [HOLDER-2]', async () => {
    const { ticket: first } = await transferred();
    let token = first;
    for (const holder of [newAddress(), newAddress()]) {
      expectOk(await app.call(transferTicket, { token, position: 1, email: holder }));
      for (const call of [readTicket, ticketsPdf])
        expect(await app.visitor().send(call, { token })).toMatchObject({
          status: 404,
          body: { code: 'checkout.unknown' },
        });
      expect(await app.call(transferTicket, { token, position: 1, email: newAddress() })).toMatchObject({
        body: { code: 'checkout.unknown' },
      });
      token = await ticketLinkOf(holder);
    }
    expect(await app.call(transferTicket, { token, position: 1, email: newAddress() })).toMatchObject({
      status: 409,
      body: { code: 'transfer.limit' },
    });
    expect(expectOk(await app.call(readTicket, { token })).details).not.toHaveProperty('transfersUntil');
  });

  it('is denied once the event has started [HOLDER-2]', async () => {
    const { eventId, read, transfer } = await sold();
    const { startsAt } = await app.db
      .selectFrom('events')
      .where('id', '=', eventId)
      .select('startsAt')
      .executeTakeFirstOrThrow();
    expect((await read()).details?.transfersUntil).toBe(startsAt.toISOString());
    await advanceTo(app, new Date(startsAt.getTime() + 1000));
    expect(await transfer()).toMatchObject({ status: 409, body: { code: 'transfer.closed' } });
    expect((await read()).details).not.toHaveProperty('transfersUntil');
  });

  it('is turned off by the organizer [HOLDER-2]', async () => {
    const { eventId, visitor, read, transfer } = await sold();
    const { tickets, version, allowsTicketTransfer } = expectOk(await visitor.call(eventTickets, { eventId }));
    expect(allowsTicketTransfer).toBe(true);
    const rows = tickets.map(({ ticketId, ticketName, ticketDescription, ticketPrice, ticketQuantity }) => ({
      ticketId,
      ticketName,
      ticketDescription,
      ticketPrice,
      ticketQuantity,
    }));
    const edit = { eventId, version, tickets: rows, allowsTicketTransfer: false };
    expectOk(await visitor.call(editTickets, edit));
    expect(await transfer()).toMatchObject({ status: 409, body: { code: 'transfer.off' } });
    expect((await read()).details).not.toHaveProperty('transfersUntil');
  });

  it('is denied for a ticket that is scanned, refunded, disputed or void', async () => {
    const scanned = await sold();
    expectOk(await scan(await scanned.atDoor(), scanned.eventId, scanned.codes[0] ?? ''));
    const refunded = await sold();
    expectOk(await app.call(refundTicket, { token: refunded.token, position: 1 }));
    await fillBalance(app);
    const disputed = await sold();
    await disputePayment(app, disputed.eventId);
    const cancelled = await sold();
    expectOk(await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId }));
    const codes = [];
    for (const order of [scanned, refunded, disputed, cancelled]) codes.push((await order.transfer()).body.code);
    expect(codes).toEqual(['transfer.scanned', 'transfer.ended', 'transfer.disputed', 'transfer.ended']);
  });

  it('is denied with a forged link, to the same address, and for a ticket that the order lacks', async () => {
    const { token, payer, transfer } = await sold();
    const other = await sold();
    const forged = `${token.split('.').slice(0, 2).join('.')}.1.${token.split('.')[2]}`;
    for (const bad of [
      forged,
      `${token}x`,
      '',
      `${token.split('.')[0]}.${other.token.split('.')[1]}.${token.split('.')[2]}`,
    ])
      expect(await app.call(transferTicket, { token: bad, position: 1, email: newAddress() })).toMatchObject({
        status: 404,
        body: { code: 'checkout.unknown' },
      });
    // The link to an order is none to a ticket, and the other way round.
    expect(await app.call(readTicket, { token })).toMatchObject({ status: 404 });
    expect(await transfer(1, payer.toUpperCase())).toMatchObject({
      status: 409,
      body: { code: 'transfer.same-address' },
    });
    for (const position of [0, 2, -1])
      expect(await transfer(position)).toMatchObject({ status: 404, body: { code: 'transfer.unknown-ticket' } });
    for (const email of ['', 'x', 'a@b.com\nbcc: c@d.com', `${'a'.repeat(300)}@b.com`])
      expect(await app.visitor().send(transferTicket, { token, position: 1, email })).toMatchObject({ status: 400 });
    expect(await app.visitor().send(transferTicket, { token, position: 1.5, email: newAddress() })).toMatchObject({
      status: 400,
    });
  });

  it('is limited, so that it emails few strangers, and no mailbox much', async () => {
    const limited = await startTestApp({ rateLimitScale: 1 });
    const { eventId } = await eventOnSale(limited);
    const { details } = await buyTickets(limited, eventId, generalAdmission(30));
    const transfer = (position: number, email: string) =>
      limited.call(transferTicket, { token: details?.token ?? '', position, email });
    for (let position = 1; position <= 5; position++) expectOk(await transfer(position, 'one@example.com'));
    expect(await transfer(6, 'one+tag@example.com')).toMatchObject({
      status: 429,
      body: { code: 'transfer.too-many-emails' },
    });
    // Nothing of the denied one stays.
    expectOk(await transfer(6, 'two@example.com'));
    for (let position = 7; position <= 19; position++) expectOk(await transfer(position, `p${position}@example.com`));
    expect(await transfer(20, 'late@example.com')).toMatchObject({
      status: 429,
      body: { code: 'rate-limit.exceeded' },
    });
    await limited.close();
  });

  it('never issues a number again that a ticket had before', async () => {
    const { eventId, was, atDoor } = await transferred();
    const { rows } = await sql<{ definition: string }>`
      select pg_get_functiondef('new_confirmation_number'::regproc) as definition`.execute(app.db);
    // Six numbers, one of which was taken before: five are left for five tickets.
    await sql`
      create or replace function new_confirmation_number() returns text language sql volatile
        as $$ select (${sql.lit(was)}::bigint + floor(random() * 6))::bigint::text $$`.execute(app.db);
    let codes: string[];
    try {
      codes = codesOf(await buyTickets(app, eventId, generalAdmission(5)));
    } finally {
      await sql.raw(rows[0]?.definition ?? '').execute(app.db);
    }
    expect(codes).toHaveLength(5);
    expect(codes).not.toContain(was);
    expect(await scan(await atDoor(), eventId, was)).toMatchObject({ body: { code: 'check-in.transferred' } });
  });
});

describe('the name of the guest', () => {
  it('is that of the new holder, and the answers of the one before are gone', async () => {
    const event = await eventOnSale(app);
    const { Meal = '' } = await askBuyers(event, {
      asksNames: 'required',
      questions: [{ kind: 'short-text', label: 'Meal', isRequired: false, scope: 'ticket' }],
    });
    const email = newAddress();
    const { details } = await buyWithDetails(
      app,
      event.eventId,
      { tickets: [{ name: 'Sofia', answers: { [Meal]: 'Soup' } }, { name: 'Omar' }] },
      { email, cartItems: generalAdmission(2) },
    );
    const token = details?.token ?? '';
    expect(details?.asksNames).toBe('required');
    const holder = newAddress();
    expect(await app.call(transferTicket, { token, position: 1, email: holder })).toMatchObject({
      status: 400,
      body: { params: { field: 'name', reason: 'missing' } },
    });
    expectOk(await app.call(transferTicket, { token, position: 1, email: holder, name: 'Ana' }));
    const page = expectOk(await app.call(readTicket, { token: await ticketLinkOf(holder) }));
    expect(page.confirmationData).toMatchObject([{ guestName: 'Ana' }]);
    expect(JSON.stringify(page)).not.toMatch(/Soup|Sofia|Omar/);
    expect(await app.call(nameTickets, { token, names: [{ position: 1, name: 'Back' }] })).toMatchObject({
      status: 404,
      body: { code: 'names.unknown-ticket' },
    });
  });
});

describe('a transferred ticket at the door', () => {
  it('admits with its new number only, and the old one says when it was transferred [HOLDER-3]', async () => {
    const clock = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', timeStyle: 'short' });
    const before = clock.format(app.now());
    const { eventId, was, code, atDoor } = await transferred();
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
    const { eventId, was, atDoor } = await transferred();
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
    const { eventId, codes, atDoor, transfer } = await sold(2);
    const offline = new OfflineDevice(await atDoor(), eventId);
    const { salt, bits } = await offline.poll();
    const before = new Map(offline.tickets);
    const holder = newAddress();
    expectOk(await transfer(1, holder));
    const [code = ''] = codesOf(expectOk(await app.call(readTicket, { token: await ticketLinkOf(holder) })));
    await offline.pollUntilChanged();
    const hashes = [...offline.tickets.values()].map(({ hash }) => hash);
    expect([...offline.tickets.keys()].sort()).toEqual([...before.keys()].sort());
    expect(hashes).toContain(hashNumber(salt, code, bits));
    expect(hashes).not.toContain(hashNumber(salt, codes[0] ?? '', bits));
  });

  it('reports an old number that was admitted offline, and still admits the new one', async () => {
    const { eventId, visitor, was, code, atDoor } = await transferred();
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

describe('at the same time', () => {
  it('one of two transfers of a ticket wins', async () => {
    const { eventId, transfer } = await sold();
    const answers = await raceFor(app, 'orders', eventId, [() => transfer(), () => transfer()]);
    expect(answers.map(({ status, body }) => body.code ?? String(status)).toSorted()).toEqual([
      '200',
      'transfer.unknown-ticket',
    ]);
  });

  it('a scan that comes first keeps the ticket where it is', async () => {
    const { eventId, codes, transfer, atDoor } = await sold();
    const device = await atDoor();
    const [scanned, moved] = await raceFor(app, 'tickets', eventId, [
      () => scan(device, eventId, codes[0] ?? ''),
      () => transfer(),
    ] as const);
    expect(scanned).toMatchObject({ status: 200 });
    expect(moved).toMatchObject({ status: 409, body: { code: 'transfer.scanned' } });
  });

  it('a transfer that comes first leaves the old number outside', async () => {
    const { eventId, codes, transfer, atDoor } = await sold();
    const device = await atDoor();
    const [moved, scanned] = await raceFor(app, 'tickets', eventId, [
      () => transfer(),
      () => scan(device, eventId, codes[0] ?? ''),
    ] as const);
    expect(moved).toMatchObject({ status: 200 });
    expect(scanned).toMatchObject({ status: 409, body: { code: 'check-in.transferred' } });
  });

  it('a refund and a transfer: the first one wins', async () => {
    for (const isRefundFirst of [true, false]) {
      const { eventId, token, codes, transfer } = await sold();
      const refund = () => app.call(requestRefund, { eventId, confirmationCode: codes[0] ?? '' });
      const both = isRefundFirst ? [refund, () => transfer()] : [() => transfer(), refund];
      const answers = await raceFor<{ status: number; body: { code?: string } }>(app, 'orders', eventId, both);
      expect(answers.map(({ status, body }) => body.code ?? status)).toEqual(
        isRefundFirst ? [200, 'transfer.ended'] : [200, 'refund.unknown-ticket'],
      );
      expect(await app.call(requestRefund, { eventId, confirmationCode: codes[0] ?? '' })).toMatchObject({
        body: { code: isRefundFirst ? 'refund.already-refunded' : 'refund.transferred' },
      });
      expect(token).not.toBe('');
    }
  });

  it('two doors admit the new number once', async () => {
    const { eventId, code, atDoor } = await transferred();
    const doors = [await atDoor(), await atDoor()];
    const answers = await raceFor(
      app,
      'tickets',
      eventId,
      doors.map((door) => () => scan(door, eventId, code)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('the refund of a transferred ticket', () => {
  it('is only the payer’s, from the order’s page: the money goes to their card, and both are informed [HOLDER-4]', async () => {
    const { eventId, token, ticket, was, code, payer, holder, atDoor, read } = await transferred(2);
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
    const { eventId, visitor, payer, holder } = await transferred();
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
    const { eventId, visitor, token, payer, holder, ticket, code, codes } = await transferred(2);
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
    const { payer, holder, ticket, token } = await transferred(1);
    for (const email of [payer, holder]) expectOk(await app.call(emailMyTickets, { email }));
    await app.settle();
    const found = async (address: string) =>
      (await emailsTo(app, address)).find(({ subject }) => subject === 'Your tickets for Basement Brass')?.text;
    expect(await found(payer)).toBeUndefined();
    expect(await found(holder)).toContain(`/ticket/${ticket}`);
    expect(await found(holder)).not.toContain(token);
  });
});

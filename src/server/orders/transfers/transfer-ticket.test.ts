/** Tickets that go to another person: numbers, links, limits, races. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent, editTickets, eventTickets } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { nameTickets } from '#contract/app/sales/order-names.ts';
import { ticketsPdf } from '#contract/app/sales/ticket-files.ts';
import { readTicket, refundTicket, transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { askBuyers, buyWithDetails } from '#tests/support/guest-forms.ts';
import { advanceTo } from '#tests/support/money.ts';
import { buyTickets, codesOf, emailsTo, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { newAddress, scan, sold, ticketLinkOf, transferred } from '#tests/support/transferred-tickets.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('transferring a ticket', () => {
  it('gives it a new number, which only its new holder sees [HOLDER-2 HOLDER-3 HOLDER-4]', async () => {
    const { holder, codes, page, code, was, read, payer } = await transferred(app, 3);

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
    const { holder, payer, token, code, was } = await transferred(app);
    const [received] = await emailsTo(app, holder);
    expect(received?.subject).toBe('You have a ticket for "Basement Brass"');
    const given = (await emailsTo(app, payer)).find(({ subject }) => subject.includes('was transferred'));
    for (const link of [token, '/ticket/', '/order/', code, was, holder]) expect(given?.text).not.toContain(link);
    expect(received?.text).not.toContain(payer);
  });

  it('ends the link of the holder before, and goes on three times at most [HOLDER-2]', async () => {
    const { ticket: first } = await transferred(app);
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
      token = await ticketLinkOf(app, holder);
    }
    expect(await app.call(transferTicket, { token, position: 1, email: newAddress() })).toMatchObject({
      status: 409,
      body: { code: 'transfer.limit' },
    });
    expect(expectOk(await app.call(readTicket, { token })).details).not.toHaveProperty('transfersUntil');
  });

  it('is denied once the event has started [HOLDER-2]', async () => {
    const { eventId, read, transfer } = await sold(app);
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
    const { eventId, visitor, read, transfer } = await sold(app);
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
    const scanned = await sold(app);
    expectOk(await scan(await scanned.atDoor(), scanned.eventId, scanned.codes[0] ?? ''));
    const refunded = await sold(app);
    expectOk(await app.call(refundTicket, { token: refunded.token, position: 1 }));
    await fillBalance(app);
    const disputed = await sold(app);
    await disputePayment(app, disputed.eventId);
    const cancelled = await sold(app);
    expectOk(await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId }));
    const codes = [];
    for (const order of [scanned, refunded, disputed, cancelled]) codes.push((await order.transfer()).body.code);
    expect(codes).toEqual(['transfer.scanned', 'transfer.ended', 'transfer.disputed', 'transfer.ended']);
  });

  it('is denied with a forged link, to the same address, and for a ticket that the order lacks', async () => {
    const { token, payer, transfer } = await sold(app);
    const other = await sold(app);
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
    const { eventId, was, atDoor } = await transferred(app);
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
    const page = expectOk(await app.call(readTicket, { token: await ticketLinkOf(app, holder) }));
    expect(page.confirmationData).toMatchObject([{ guestName: 'Ana' }]);
    expect(JSON.stringify(page)).not.toMatch(/Soup|Sofia|Omar/);
    expect(await app.call(nameTickets, { token, names: [{ position: 1, name: 'Back' }] })).toMatchObject({
      status: 404,
      body: { code: 'names.unknown-ticket' },
    });
  });
});

describe('at the same time', () => {
  it('one of two transfers of a ticket wins', async () => {
    const { eventId, transfer } = await sold(app);
    const answers = await raceFor(app, 'orders', eventId, [() => transfer(), () => transfer()]);
    expect(answers.map(({ status, body }) => body.code ?? String(status)).toSorted()).toEqual([
      '200',
      'transfer.unknown-ticket',
    ]);
  });

  it('a scan that comes first keeps the ticket where it is', async () => {
    const { eventId, codes, transfer, atDoor } = await sold(app);
    const device = await atDoor();
    const [scanned, moved] = await raceFor(app, 'tickets', eventId, [
      () => scan(device, eventId, codes[0] ?? ''),
      () => transfer(),
    ] as const);
    expect(scanned).toMatchObject({ status: 200 });
    expect(moved).toMatchObject({ status: 409, body: { code: 'transfer.scanned' } });
  });

  it('a transfer that comes first leaves the old number outside', async () => {
    const { eventId, codes, transfer, atDoor } = await sold(app);
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
      const { eventId, token, codes, transfer } = await sold(app);
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
    const { eventId, code, atDoor } = await transferred(app);
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

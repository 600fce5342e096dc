/** Guests whom the organizer adds at no charge. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { createCheckoutSession, readOrder } from '#contract/app/checkout.ts';
import { cancelEvent, eventTickets, type OrganizerEvent } from '#contract/app/events.ts';
import { guestPage, resendTicket } from '#contract/app/guests.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { addComps, comps, withdrawComp } from '#contract/app/sales/comps.ts';
import type { ErrorCode, ErrorParams } from '#messages/errors.ts';
import { addGuests, compsOf, guestsToAdd } from '#tests/support/comps.ts';
import { fillBalance } from '#tests/support/disputes.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { ledgerOf, openPayout, reservedOf, stripeObjectsOf } from '#tests/support/money.ts';
import {
  attendantOf,
  buyTickets,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  openCheckout,
  takeFreeTickets,
} from '#tests/support/people.ts';
import { raceForLock } from '#tests/support/race.ts';
import { shareCapacity } from '#tests/support/share-capacity.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await fillBalance(app);
});
afterAll(() => app.close());

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const type = (ticketName: string, ticketQuantity: number, ticketPrice = 24) => ({
  ticketName,
  ticketDescription: 'A ticket',
  ticketPrice,
  ticketQuantity,
});

const eventWith = (ticketQuantity: number) =>
  eventOnSale(app, { tickets: [type('General admission', ticketQuantity)] });

const guests = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({ email: `${name}-${index}@example.com` }));

const withdraw = ({ visitor, eventId }: Event, ticketId: string) => visitor.call(withdrawComp, { eventId, ticketId });

const ticketsOf = async ({ eventId }: Event) =>
  app.db.selectFrom('tickets').where('eventId', '=', eventId).select(['id', 'state', 'priceCents']).execute();

function expectStatement(payout: OrganizerEvent['payout'] | undefined) {
  if (!payout?.statement) throw new Error('no statement');
  return payout.statement;
}

const quantityOf = async ({ visitor, eventId }: Event) =>
  expectOk(await visitor.call(eventTickets, { eventId })).tickets.map(({ ticketQuantity }) => ticketQuantity);

const denied = <Code extends ErrorCode>(status: number, code: Code, ...params: ErrorParams<Code>) => ({
  status,
  body: errorBody(code, ...params),
});

describe('a guest at no charge', () => {
  it('gets tickets by email, with a price of 0 and the list price kept [COMP-1]', async () => {
    const event = await eventWith(10);
    expectOk(await addGuests(event, [{ email: 'vip@example.com', quantity: 2 }]));

    const { rows: lines } = await sql`
      select l.source, l.list_price_cents, l.discount_cents, l.unit_price_cents, l.quantity, o.state, o.total_cents, o.session_id
        from order_lines l join orders o on o.event_id = l.event_id and o.id = l.order_id
       where l.event_id = ${event.eventId}`.execute(app.db);
    expect(lines).toEqual([
      {
        source: 'comp',
        listPriceCents: 2400,
        discountCents: 2400,
        unitPriceCents: 0,
        quantity: 2,
        state: 'paid',
        totalCents: 0,
        sessionId: null,
      },
    ]);
    const [email, ...others] = await emailsTo(app, 'vip@example.com');
    expect(others).toEqual([]);
    expect(email?.subject).toBe("Basement Brass: you're on the guest list");
    expect(email?.text).toContain('added you to the guest list');
    expect(email?.text.replace(/https?:\S+/g, '')).not.toMatch(/payment|\$|Free/);
    const token = /\/order\/(\S+)/.exec(email?.text ?? '')?.[1] ?? '';
    const { confirmationData, details } = expectOk(await app.call(readOrder, { token }));
    expect(confirmationData).toHaveLength(2);
    expect(details).toMatchObject({ isComp: true, areRefundsOpen: false, totalCents: 0 });
    const device = await attendantOf(app, event.eventId, event.attendantCode);
    const confirmationNumber = confirmationData[0]?.confirmationNumber ?? '';
    const checkIn = await device.call(checkGuest, { eventId: event.eventId, confirmationNumber });
    expect(checkIn.status).toBe(200);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is on the guest list, and its ticket can be sent again', async () => {
    const event = await eventWith(10);
    const { visitor, eventId } = event;
    expectOk(await addGuests(event, [{ email: 'again@example.com' }]));
    const { guestList } = expectOk(await visitor.call(guestPage, { eventId }));
    expect(guestList).toMatchObject([{ email: 'again@example.com', isComp: true, ticketPrice: 0 }]);

    const [first] = await emailsTo(app, 'again@example.com');
    const confirmationNumber = guestList[0]?.confirmationNumber ?? '';
    expectOk(await visitor.call(resendTicket, { email: 'again@example.com', confirmationNumber }));
    const [newest, ...before] = await emailsTo(app, 'again@example.com');
    expect(before).toEqual([first]);
    expect(newest?.text).toContain('added you to the guest list');
  });

  it('is counted in the header, and neither in the ledger, the fees nor the payout [COMP-3]', async () => {
    const [event, plain] = [await eventWith(60), await eventWith(60)];
    expectOk(await addGuests(event, guests(12, 'counted')));
    expect(await stripeObjectsOf(app, 'checkout.session', event.eventId)).toEqual([]);
    expect(await ledgerOf(app, event.eventId)).toEqual([]);
    for (const { eventId } of [event, plain]) await buyTickets(app, eventId, generalAdmission(2));

    const { events } = expectOk(await event.visitor.call(profile, {}));
    expect(events).toMatchObject([{ ticketsSold: 14, freeTickets: 12, comps: 12, gross: 48 }]);
    await openPayout(app, plain);
    await logInAgain(event);
    const statements = [];
    for (const one of [event, plain]) {
      const { payout } = expectOk(await one.visitor.call(profile, {})).events[0] ?? {};
      const { ticketsSold, ...statement } = expectStatement(payout);
      expect(ticketsSold).toBe(one === event ? 14 : 2);
      statements.push(statement);
      expectOk(await one.visitor.call(requestPayout, { eventId: one.eventId }));
    }
    expect(statements[0]).toEqual(statements[1]);
    await app.settle();
    const kinds = async ({ eventId }: Event) => (await ledgerOf(app, eventId)).sort();
    expect(await kinds(event)).toEqual(await kinds(plain));
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is added once, however often the request is repeated', async () => {
    const event = await eventWith(10);
    const compsId = randomUUID();
    for (let n = 0; n < 3; n++) expectOk(await addGuests(event, guests(2, 'repeated'), { compsId }));
    expect(await ticketsOf(event)).toHaveLength(2);
    expect(await emailsTo(app, 'repeated-0@example.com')).toHaveLength(1);
    expect(await addGuests(event, guests(1, 'other'), { compsId })).toMatchObject(denied(409, 'comp.id-used'));
    expect(await ticketsOf(event)).toHaveLength(2);
  });

  it('gets free tickets of the event as well, under the same address [FREE-5]', async () => {
    const event = await eventOnSale(app, { tickets: [type('General admission', 10, 0)] });
    expectOk(await addGuests(event, [{ email: 'both@example.com' }]));
    await takeFreeTickets(app, event.eventId, generalAdmission(1), { email: 'both@example.com' });
    expect(await ticketsOf(event)).toHaveLength(2);
  });

  it.each([
    [{ quantity: 0 }, 'guests.0.quantity', 'quantity.too-small'],
    [{ quantity: 101 }, 'guests.0.quantity', 'too-large'],
    [{ quantity: 1.5 }, 'guests.0.quantity', 'quantity.not-whole'],
    [{ email: 'nobody' }, 'guests.0.email', 'email.invalid'],
    [{ email: 'a@example.com\nBcc: b@example.com' }, 'guests.0.email', 'email.invalid'],
  ])('is denied with %j', async (change, field, reason) => {
    const event = await eventWith(1000);
    const [guest] = await guestsToAdd(event, guests(1, 'invalid'));
    const input = { eventId: event.eventId, compsId: randomUUID(), guests: [{ ...guest, ...change }] };
    expect(await event.visitor.send(addComps, input)).toMatchObject({
      status: 400,
      body: { code: 'form.invalid', params: { field, reason } },
    });
  });

  it('is one of at most 500 tickets a call, and of a type that is offered', async () => {
    const event = await eventWith(1000);
    const many = guests(6, 'many').map((guest) => ({ ...guest, quantity: 84 }));
    expect(await addGuests(event, many)).toMatchObject(denied(400, 'comp.too-many'));
    const unknown = [{ email: 'a@example.com', ticketName: 'Nothing' }];
    expect(await addGuests(event, unknown)).toMatchObject(denied(400, 'comp.unknown-type'));
  });

  it('is not added once the event is over or cancelled', async () => {
    const [over, cancelled] = [await eventWith(10), await eventWith(10)];
    expectOk(await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId }));
    expect(await addGuests(cancelled, guests(1, 'late'))).toMatchObject(denied(409, 'edit.event-cancelled'));
    await sql`update events set starts_at = business_now() - interval '2 hours', ends_at = business_now() where id = ${over.eventId}`.execute(
      app.db,
    );
    expect(await addGuests(over, guests(1, 'late'))).toMatchObject(denied(409, 'comp.event-ended'));
    expect(expectOk(await over.visitor.call(comps, { eventId: over.eventId })).denial).toBe('event-ended');
  });
});

describe('comps beyond the stock', () => {
  it('are denied as a whole [COMP-1]', async () => {
    const event = await eventWith(10);
    await openCheckout(app, event.eventId, generalAdmission(3));
    const tooFew = denied(409, 'comp.too-few-left', { name: 'General admission', left: 7 });
    expect(await addGuests(event, guests(8, 'beyond'))).toMatchObject(tooFew);
    expect(await ticketsOf(event)).toEqual([]);
    expect(await reservedOf(app, event.eventId)).toBe(3);
    expectOk(await addGuests(event, guests(7, 'within')));
    expect(await reservedOf(app, event.eventId)).toBe(10);
    expect(await emailsTo(app, 'beyond-0@example.com')).toEqual([]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('are denied where shared seats are short, types that each have enough included [COMP-1 STOCK-1]', async () => {
    const event = await eventOnSale(app, { tickets: [type('Adult', 50), type('Child', 50)] });
    await shareCapacity(event, { name: 'Hall', capacity: 10, units: { Adult: 2, Child: 1 } });
    const all = [
      { email: 'adult@example.com', ticketName: 'Adult', quantity: 4 },
      { email: 'child@example.com', ticketName: 'Child', quantity: 3 },
    ];
    expect(await addGuests(event, all)).toMatchObject({ status: 409, body: { code: 'comp.too-few-left' } });
    expectOk(
      await addGuests(
        event,
        all.map((guest) => ({ ...guest, quantity: 3 })),
      ),
    );
    const [capacity] = expectOk(await event.visitor.call(eventTickets, { eventId: event.eventId })).sharedCapacities;
    expect(capacity).toMatchObject({ reserved: 9, capacity: 10 });
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('raise the quantity first if the organizer says so, by what is missing [COMP-1]', async () => {
    const event = await eventOnSale(app, { tickets: [type('Adult', 5), type('Child', 50)] });
    await shareCapacity(event, { name: 'Hall', capacity: 4, units: { Adult: 1 } });
    expectOk(await addGuests(event, guests(3, 'fits'), { raisesQuantity: true }));
    expect(await quantityOf(event)).toEqual([5, 50]);

    expectOk(await addGuests(event, guests(4, 'raised'), { raisesQuantity: true }));
    expect(await quantityOf(event)).toEqual([7, 50]);
    const [hall] = expectOk(await event.visitor.call(eventTickets, { eventId: event.eventId })).sharedCapacities;
    expect(hall).toMatchObject({ capacity: 7, reserved: 7 });
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('raise nothing when they are denied, and nothing above the largest quantity', async () => {
    const event = await eventOnSale(app, { tickets: [type('Adult', 5), type('Child', 100_000)] });
    await sql`update ticket_types set reserved = 100000 where event_id = ${event.eventId} and name = 'Child'`.execute(
      app.db,
    );
    const beyond = [...guests(9, 'nine'), { email: 'child@example.com', ticketName: 'Child' }];
    expect(await addGuests(event, beyond, { raisesQuantity: true })).toMatchObject(
      denied(409, 'comp.quantity-too-high', { name: 'Child', max: 100_000 }),
    );
    expect(await quantityOf(event)).toEqual([5, 100_000]);
    await sql`update ticket_types set reserved = 0 where event_id = ${event.eventId}`.execute(app.db);
  });

  it('race buyers for the last tickets, and neither gets more than there are [COMP-1]', async () => {
    const outcomes = async (event: Event, isGiftFirst: boolean) => {
      const { eventId } = event;
      const added = await guestsToAdd(event, guests(2, 'racing'));
      const buy = async () =>
        (await app.call(createCheckoutSession, { eventId, cartItems: generalAdmission(2) })).body.code ?? 'reserved';
      const give = async () =>
        (await event.visitor.call(addComps, { eventId, compsId: randomUUID(), guests: added })).body.code ?? 'given';
      return raceForLock(
        app,
        sql`select from ticket_types where event_id = ${eventId} for update`,
        isGiftFirst ? [give, buy] : [buy, give],
      );
    };
    const [first, second] = [await eventWith(3), await eventWith(3)];
    expect(await outcomes(first, true)).toEqual(['given', 'checkout.sold-out']);
    // A buyer who has waited for a moment queues again, behind the gift.
    expect([
      ['reserved', 'comp.too-few-left'],
      ['checkout.sold-out', 'given'],
    ]).toContainEqual(await outcomes(second, false));
    for (const { eventId } of [first, second]) expect(await reservedOf(app, eventId)).toBe(2);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('are 50 against 200 buyers for 60 tickets: 60 are taken [COMP-1]', async () => {
    const event = await eventWith(60);
    const added = await guestsToAdd(event, guests(50, 'fifty'));
    const give = (guest: (typeof added)[number]) =>
      event.visitor.call(addComps, { eventId: event.eventId, compsId: randomUUID(), guests: [guest] });
    const buy = () => app.call(createCheckoutSession, { eventId: event.eventId, cartItems: generalAdmission(1) });
    const replies = await Promise.all(
      Array.from({ length: 250 }, (_, index) => {
        const guest = index % 5 === 0 ? added[index / 5] : undefined;
        return guest ? give(guest) : buy();
      }),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(await reservedOf(app, event.eventId)).toBe(60);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});

describe('a comp', () => {
  it('ends when it is withdrawn, returns its stock and informs the guest [COMP-4]', async () => {
    const event = await eventWith(2);
    expectOk(await addGuests(event, [{ email: 'gone@example.com', quantity: 2 }]));
    await app.settle();
    const [comp] = await compsOf(event);
    const sale = { eventId: event.eventId, cartItems: generalAdmission(1) };
    expect(await reservedOf(app, event.eventId)).toBe(2);

    expectOk(await withdraw(event, comp?.ticketId ?? ''));
    expect(await reservedOf(app, event.eventId)).toBe(1);
    expectOk(await app.call(createCheckoutSession, sale));
    const [email] = await emailsTo(app, 'gone@example.com');
    expect(email?.subject).toBe('Your ticket for Basement Brass was withdrawn');
    expect(email?.text).toContain(comp?.confirmationNumber);
    expect(await ledgerOf(app, event.eventId)).toEqual([]);
    expect(expectOk(await event.visitor.call(comps, { eventId: event.eventId }))).toMatchObject({
      count: 1,
      comps: [{ state: 'refunded' }, { state: 'valid' }],
    });
    const device = await attendantOf(app, event.eventId, event.attendantCode);
    const { confirmationNumber = '' } = comp ?? {};
    const { body } = await device.call(checkGuest, { eventId: event.eventId, confirmationNumber });
    expect(body).toMatchObject({ code: 'check-in.refunded' });

    expect(await withdraw(event, comp?.ticketId ?? '')).toMatchObject(denied(409, 'comp.already-withdrawn'));
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is not withdrawn after its guest was checked in, also when both happen at once [COMP-4]', async () => {
    const event = await eventWith(2);
    expectOk(await addGuests(event, [{ email: 'inside@example.com' }]));
    const [comp] = await compsOf(event);
    const { ticketId = '', confirmationNumber = '' } = comp ?? {};
    const device = await attendantOf(app, event.eventId, event.attendantCode);
    const [checkIn, withdrawn] = await raceForLock<{ status: number; body: { code?: string; status?: string } }>(
      app,
      sql`select from tickets where id = ${ticketId} for update`,
      [() => device.call(checkGuest, { eventId: event.eventId, confirmationNumber }), () => withdraw(event, ticketId)],
    );
    expect([checkIn?.status, withdrawn?.body.code]).toEqual([200, 'comp.already-scanned']);
    expect(await ticketsOf(event)).toMatchObject([{ state: 'scanned' }]);
  });

  it('is ended by its organizer only, not by its guest', async () => {
    const [event, other] = [await eventWith(5), await eventWith(5)];
    expectOk(await addGuests(event, [{ email: 'guest@example.com' }]));
    const [comp] = await compsOf(event);
    const { ticketId = '', confirmationNumber: confirmationCode = '' } = comp ?? {};
    const refund = await app.call(requestRefund, { eventId: event.eventId, confirmationCode });
    expect(refund).toMatchObject(denied(409, 'refund.comp'));
    expect(await withdraw({ ...event, visitor: other.visitor }, ticketId)).toMatchObject(
      denied(404, 'event.not-found'),
    );
    expect(await withdraw({ ...event, eventId: other.eventId }, ticketId)).toMatchObject({ status: 404 });
    expect(await withdraw(event, randomUUID())).toMatchObject(denied(404, 'comp.unknown'));
    expect(await withdraw(event, 'x')).toMatchObject(denied(404, 'comp.unknown'));
    await buyTickets(app, event.eventId, generalAdmission(1));
    const sold = (await ticketsOf(event)).find(({ priceCents }) => priceCents > 0)?.id ?? '';
    expect(await withdraw(event, sold)).toMatchObject(denied(404, 'comp.unknown'));
  });

  it('ends with a cancelled event, without a word about money', async () => {
    const event = await eventWith(5);
    expectOk(await addGuests(event, [{ email: 'cancelled@example.com' }]));
    const [comp] = await compsOf(event);
    await app.settle();
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    const [email] = await emailsTo(app, 'cancelled@example.com');
    expect(email?.subject).toContain('cancelled');
    expect(email?.text).not.toMatch(/\$|card/);
    expect(await ticketsOf(event)).toMatchObject([{ state: 'refunded' }]);
    expect(await withdraw(event, comp?.ticketId ?? '')).toMatchObject(denied(409, 'comp.event-cancelled'));
    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});

describe('the list of comps', () => {
  it('has pages, newest first', async () => {
    const event = await eventWith(120);
    expectOk(await addGuests(event, guests(60, 'listed')));
    const { eventId, visitor } = event;
    const first = expectOk(await visitor.call(comps, { eventId }));
    expect([first.count, first.comps.length]).toEqual([60, 50]);
    const second = expectOk(await visitor.call(comps, { eventId, after: first.compsNext ?? '' }));
    expect([second.comps.length, second.compsNext]).toEqual([10, null]);
    const all = [...first.comps, ...second.comps].map(({ ticketId }) => ticketId);
    expect(all).toEqual([...new Set(all)].sort().reverse());
  });
});

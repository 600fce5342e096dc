/** The *Overview* of an event: whatever happened to its tickets, each figure is the one of the tickets, the ledger and the payout. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { eventOverview } from '#contract/app/records/overview.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { addDays, dayOf } from '#domain/sales/sales-days.ts';
import { rollUpTotals } from '#server/events/totals/roll-up-totals.ts';
import { aroundClockChanges } from '#tests/support/clock-changes.ts';
import { addGuests } from '#tests/support/comps.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { sellAt } from '#tests/support/many-guests.ts';
import { advanceToNext, simulateAtBank, stripeObjectsOf } from '#tests/support/money.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  eventOnSale,
  expectOk,
  logInAgain,
  takeFreeTickets,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

const DAY = 24 * 60 * 60_000;
const typeOf = (ticketName: string, ticketPrice: number, ticketQuantity: number, isAddOn = false) => ({
  ticketName,
  ticketDescription: 'x',
  ticketPrice,
  ticketQuantity,
  isAddOn,
});
const TYPES = [typeOf('Floor', 24.35, 300), typeOf('Free', 0, 100), typeOf('Shirt', 15.99, 100, true)];

const onSale = (days = 30, tickets = TYPES) =>
  eventOnSale(app, {
    tickets,
    startDate_startTime: new Date(app.now().getTime() + days * DAY).toISOString(),
    endDate_endTime: new Date(app.now().getTime() + days * DAY + 3 * 60 * 60_000).toISOString(),
  });

const overviewOf = async ({ visitor, eventId }: Seller) => expectOk(await visitor.call(eventOverview, { eventId }));
const sell = async ({ eventId }: Seller, name: string, quantity: number, email = 'sam@example.com') =>
  codesOf(
    name === 'Free'
      ? await takeFreeTickets(app, eventId, [{ ticketName: name, quantity }], { email })
      : await buyTickets(app, eventId, [{ ticketName: name, quantity }], email),
  );

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      type: fc.constantFrom('Floor', 'Floor', 'Free', 'Shirt'),
      quantity: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('comp' as const), quantity: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('admit' as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('dispute' as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'roll-up' as const }) },
);

describe('the overview of an event', () => {
  it('has the figures of a count, the ledger and the payout statement after any history [OVER-1]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), fc.boolean(), async (steps, isCancelled) => {
        const seller = await onSale();
        const door = await attendantOf(app, seller.eventId, seller.attendantCode);
        const codes: string[] = [];
        const disputed = new Set<string>();
        for (const [index, one] of steps.entries()) {
          const code = 'at' in one ? (codes[one.at % Math.max(1, codes.length)] ?? '') : '';
          if (one.do === 'sell')
            codes.push(...(await sell(seller, one.type, one.quantity, `buyer-${index}@example.com`)));
          if (one.do === 'comp')
            expectOk(await addGuests(seller, [{ email: `comp-${index}@example.com`, quantity: one.quantity }]));
          if (one.do === 'refund') await app.call(requestRefund, { eventId: seller.eventId, confirmationCode: code });
          if (one.do === 'admit') await door.call(checkGuest, { eventId: seller.eventId, confirmationNumber: code });
          if (one.do === 'dispute') {
            await app.settle();
            const payments = await stripeObjectsOf(app, 'payment_intent', seller.eventId);
            const payment = payments[one.at % Math.max(1, payments.length)]?.id;
            if (!payment || disputed.has(payment)) continue;
            // The bank rejects a dispute of what was refunded.
            const dispute = simulateAtBank(app, 'disputes', { payment_intent: payment });
            if (
              await dispute.then(
                () => true,
                () => false,
              )
            )
              disputed.add(payment);
          }
          if (one.do === 'wait') {
            await app.advance({ hours: one.hours });
            await logInAgain(seller);
          }
          if (one.do === 'roll-up') await rollUpTotals(app.deps);
        }
        if (isCancelled) expectOk(await seller.visitor.call(cancelEvent, { eventId: seller.eventId }));
        await app.settle();
        await expectTrue(seller, { hasDisputeOfCancelled: isCancelled && disputed.size > 0 });
      }),
      { numRuns: 4 },
    );
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  async function expectTrue(
    seller: Seller,
    { hasDisputeOfCancelled }: { hasDisputeOfCancelled: boolean },
  ): Promise<void> {
    const { eventId, visitor } = seller;
    const shown = await overviewOf(seller);
    const { events } = expectOk(await visitor.call(profile, {}));
    const card = events.find((event) => event.eventId === eventId);
    const tickets = await app.db
      .selectFrom('tickets as t')
      .innerJoin('ticketTypes as y', (join) =>
        join.onRef('y.eventId', '=', 't.eventId').onRef('y.id', '=', 't.ticketTypeId'),
      )
      .where('t.eventId', '=', eventId)
      .select(['t.state', 't.priceCents', 't.issuedAt', 'y.isAddOn', 'y.name'])
      .execute();
    const kept = tickets.filter(({ state }) => state === 'valid' || state === 'scanned');
    const admitting = kept.filter(({ isAddOn }) => !isAddOn);
    const cents = (rows: typeof tickets) => rows.reduce((sum, { priceCents }) => sum + priceCents, 0);
    const orders = await app.db
      .selectFrom('orders')
      .where('eventId', '=', eventId)
      .where('state', '=', 'paid')
      .where('compBatchId', 'is', null)
      .select('id')
      .execute();

    expect(shown).toMatchObject({
      sold: admitting.length,
      addOnsSold: kept.length - admitting.length,
      checkedIn: admitting.filter(({ state }) => state === 'scanned').length,
      toCheckIn: admitting.filter(({ state }) => state === 'valid').length,
      orders: orders.length,
      gross: cents(kept) / 100,
    });
    expect(shown.types.map(({ ticketName, sold, gross }) => [ticketName, sold, gross])).toEqual(
      TYPES.map(({ ticketName }) => {
        const ofType = kept.filter(({ name }) => name === ticketName);
        return [ticketName, ofType.length, cents(ofType) / 100];
      }),
    );
    const byDay = Object.entries(Object.groupBy(admitting, ({ issuedAt }) => dayOf(issuedAt, shown.timezone)));
    expect(shown.days.filter(({ sold }) => sold > 0)).toEqual(
      byDay
        .map(([day, rows]) => ({ day, sold: rows?.length }))
        .toSorted((one, other) => (one.day < other.day ? -1 : 1)),
    );

    expect(shown.payout?.net).toBe(card?.payout.statement?.net);
    expect(card?.payout.statement?.gross).toBe(cents(kept) / 100);
    // The bank decides about a disputed payment of a cancelled event; until then the ledger keeps what was paid.
    if (hasDisputeOfCancelled) return;
    const payable = await sql<{ cents: number }>`
      select coalesce(-sum(cents), 0)::int as cents from ledger_entries where event_id = ${eventId} and account = 'organizer-payable'`.execute(
      app.db,
    );
    expect(payable.rows[0]?.cents).toBe(Math.round((shown.gross ?? 0) * 100));
  }

  it('counts the days of the event’s time zone, those of 23 and 25 hours included [OVER-2]', async () => {
    const seller = await onSale();
    await sellAt(app.db, seller.eventId, aroundClockChanges);

    const { days } = await overviewOf(seller);

    expect(days.filter(({ sold }) => sold > 0)).toEqual([
      { day: '2026-03-07', sold: 1 },
      { day: '2026-03-08', sold: 2 },
      { day: '2026-03-09', sold: 1 },
      { day: '2026-11-01', sold: 2 },
      { day: '2026-11-02', sold: 1 },
    ]);
    expect(days.every(({ day }, index) => index === 0 || day === addDays(days[index - 1]?.day ?? '', 1))).toBe(true);
    expect(days.at(-1)?.day).toBe(dayOf(app.now(), 'America/New_York'));
    await rollUpTotals(app.deps);
    expect((await overviewOf(seller)).days).toEqual(days);
  });

  it('offers no more than the seats that types share, and shows a removed type as sold [OVER-1]', async () => {
    const seller = await onSale(30, [typeOf('Floor', 20, 100), typeOf('Balcony', 30, 50)]);
    const types = await app.db
      .selectFrom('ticketTypes')
      .where('eventId', '=', seller.eventId)
      .select(['id', 'name'])
      .execute();
    const capacityId = crypto.randomUUID();
    await app.db
      .insertInto('sharedCapacities')
      .values({ eventId: seller.eventId, id: capacityId, position: 0, name: 'Room', capacity: 120 })
      .execute();
    await app.db
      .insertInto('sharedCapacityMembers')
      .values(
        types.map(({ id }) => ({ eventId: seller.eventId, ticketTypeId: id, sharedCapacityId: capacityId, units: 1 })),
      )
      .execute();
    await sell(seller, 'Balcony', 2);

    expect(await overviewOf(seller)).toMatchObject({ sold: 2, offered: 120 });
    await sql`update ticket_types set removed_at = now() where event_id = ${seller.eventId} and name = 'Balcony'`.execute(
      app.db,
    );
    expect((await overviewOf(seller)).types).toMatchObject([
      { ticketName: 'Floor', sold: 0, offered: 100 },
      { ticketName: 'Balcony', sold: 2, offered: 2 },
    ]);
  });

  it('lists what happened last, with the names of the guest list [OVER-3]', async () => {
    const seller = await onSale(0.5);
    const [first = '', second = ''] = await sell(seller, 'Floor', 2, 'ana@example.com');
    await app.advance({ minutes: 1 });
    expectOk(await addGuests(seller, [{ name: 'Omar', email: 'omar@example.com' }]));
    await app.advance({ minutes: 1 });
    const door = await attendantOf(app, seller.eventId, seller.attendantCode);
    expectOk(await door.call(checkGuest, { eventId: seller.eventId, confirmationNumber: first }));
    await app.advance({ minutes: 1 });
    expectOk(await app.call(requestRefund, { eventId: seller.eventId, confirmationCode: second }));

    const { activity } = await overviewOf(seller);

    expect(activity?.map(({ what, who, tickets }) => [what, who, tickets])).toEqual([
      ['refunded', 'Sam Buyer', 1],
      ['checked-in', 'Sam Buyer', 1],
      ['added', 'Omar', 1],
      ['bought', 'Sam Buyer', 2],
    ]);
  });

  it('says what the organizer has to do, until it is done [OVER-4]', async () => {
    const seller = await onSale();
    await sell(seller, 'Floor', 1);
    await app.settle();
    const [payment] = await stripeObjectsOf(app, 'payment_intent', seller.eventId);
    expect((await overviewOf(seller)).needs).toEqual({
      hasNoPhotos: true,
      dispute: null,
      unsyncedScans: 0,
      accountTrouble: null,
    });

    await simulateAtBank(app, 'disputes', { payment_intent: payment?.id });
    await app.settle();
    const photo = {
      eventId: seller.eventId,
      id: crypto.randomUUID(),
      position: 0,
      fileName: 'x.webp',
      createdAt: app.now(),
    };
    await app.db.insertInto('eventPhotos').values(photo).execute();
    const device = {
      eventId: seller.eventId,
      id: crypto.randomUUID(),
      name: 'Gate',
      enteredAt: app.now(),
      seenAt: app.now(),
    };
    await app.db
      .insertInto('checkInDevices')
      .values({ ...device, endsAt: null, pending: 3, removedAt: null })
      .execute();
    await sql`update payout_accounts set restricted_at = now()
               where organization_id = (select organization_id from events where id = ${seller.eventId})`.execute(
      app.db,
    );

    expect((await overviewOf(seller)).needs).toMatchObject({
      hasNoPhotos: false,
      dispute: { count: 1, amount: 24.35, dueAt: expect.any(String) },
      unsyncedScans: 3,
      accountTrouble: 'restricted',
    });
  });

  it('says when most guests came, once the event is over [OVER-5]', async () => {
    const seller = await onSale(0.01);
    const codes = await sell(seller, 'Floor', 4);
    const door = await attendantOf(app, seller.eventId, seller.attendantCode);
    const admit = async (code = '') =>
      expectOk(await door.call(checkGuest, { eventId: seller.eventId, confirmationNumber: code }));
    await admit(codes[0]);
    await app.advance({ minutes: 30 });
    await advanceToNext(app, { seconds: 900 });
    await admit(codes[1]);
    await admit(codes[2]);
    const busiest = Math.floor(app.now().getTime() / 900_000) * 900_000;
    expect(await overviewOf(seller)).toMatchObject({ phase: 'today', busiest: null, checkedIn: 3, toCheckIn: 1 });

    await app.advance({ hours: 5 });
    await logInAgain(seller);

    const { phase, busiest: quarter, checkedIn, toCheckIn } = await overviewOf(seller);
    expect({ phase, checkedIn, toCheckIn }).toEqual({ phase: 'over', checkedIn: 3, toCheckIn: 1 });
    expect(quarter?.admitted).toBe(2);
    expect(Math.abs(Date.parse(quarter?.from ?? '') - busiest)).toBeLessThanOrEqual(900_000);
  });
});

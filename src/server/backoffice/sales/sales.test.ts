/** The sales report: whatever happened, it agrees with the overview, the ledger and its own files, to the cent. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { eventFile } from '#contract/app/records/event-files.ts';
import { eventOverview } from '#contract/app/records/overview.ts';
import { eventSales } from '#contract/app/records/sales-report.ts';
import { eventMoney } from '#contract/app/records/workspace.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { salesReport } from '#contract/v1/reports.ts';
import { salesSplits, sumOf } from '#domain/reports/sales-report.ts';
import { addDays } from '#domain/sales/sales-days.ts';
import { newId } from '#server/platform/ids.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { aroundClockChanges } from '#tests/support/clock-changes.ts';
import { addGuests } from '#tests/support/comps.ts';
import { decideDispute, disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { ledgerTotals } from '#tests/support/ledger-totals.ts';
import { newLink } from '#tests/support/links.ts';
import { sellAt } from '#tests/support/many-guests.ts';
import { stripeObjectsOf, stripeOf } from '#tests/support/money.ts';
import { codesOf, eventOnSale, expectOk, logInAgain, pay, takeFreeTickets } from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

type Seller = Awaited<ReturnType<typeof eventOnSale>>;
type Split = (typeof salesSplits)[number];

const DAY = 24 * 60 * 60_000;
const typeOf = (ticketName: string, ticketPrice: number, isAddOn = false) => ({
  ticketName,
  ticketDescription: 'x',
  ticketPrice,
  ticketQuantity: 300,
  isAddOn,
});
const TYPES = [typeOf('Floor', 24.35), typeOf('Free', 0), typeOf('Shirt', 15.99, true)];

const onSale = (days: number) =>
  eventOnSale(app, {
    tickets: TYPES,
    startDate_startTime: new Date(app.now().getTime() + days * DAY).toISOString(),
    endDate_endTime: new Date(app.now().getTime() + days * DAY + 3 * 60 * 60_000).toISOString(),
  });

const salesOf = async ({ visitor, eventId }: Seller, fields: { from?: string; until?: string; split?: Split } = {}) =>
  expectOk(await visitor.call(eventSales, { eventId, ...fields }));

async function fileOf({ visitor, eventId }: Seller, kind: string): Promise<Record<string, string>[]> {
  const path = eventFile.path.replace(':eventId', eventId).replace(':kind', kind);
  const reply = await visitor.fetch(path);
  expect(reply.status).toBe(200);
  return parse(Buffer.from(await reply.arrayBuffer()), { bom: true, columns: true });
}

interface Purchase {
  items: { ticketName: string; quantity: number }[];
  email: string;
  from?: string | undefined;
  promoCode?: string | undefined;
}

/** Returns the confirmation numbers. */
async function buy({ eventId }: Seller, { items, email, from, promoCode }: Purchase): Promise<string[]> {
  const buyer = app.visitor();
  const cart = { eventId, cartId: newId(), cartItems: items, from, promoCode };
  const { url } = expectOk(await buyer.call(createCheckoutSession, cart));
  expect((await pay(buyer, url, email)).status).toBe(303);
  await app.settle();
  const tickets = await app.db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('buyerEmail', '=', email)
    .select('confirmationNumber')
    .execute();
  return tickets.map(({ confirmationNumber }) => confirmationNumber);
}

/** What the ledger says about sales, refunds and reversals. */
/** Prices of voided tickets, less what was reversed of whole orders. */
async function voidedOverReversed(eventId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select ((select coalesce(sum(price_cents), 0) from tickets where event_id = ${eventId} and state = 'void')
          - (select coalesce(sum(cents), 0) from ledger_entries
              where event_id = ${eventId} and account = 'organizer-payable' and kind in ('external-refund', 'dispute-lost')))::bigint as cents`.execute(
    app.db,
  );
  return rows[0]?.cents ?? 0;
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      quantity: fc.integer({ min: 1, max: 3 }),
      shirts: fc.integer({ min: 0, max: 2 }),
      from: fc.constantFrom(undefined, 'poster', 'radio'),
      promoCode: fc.constantFrom(undefined, undefined, 'SPRING'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'take-free' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('comp' as const), quantity: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refund' as const), at: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('refund-amount' as const),
      at: fc.nat(),
      cents: fc.integer({ min: 50, max: 30_00 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose-dispute' as const), at: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 900 }) }) },
);

describe('the sales report', () => {
  it('agrees with overview, ledger, file and API after any history [REPORT-1 REPORT-3]', async () => {
    await fillBalance(app);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12 }), async (steps) => {
        const seller = await onSale(600);
        const { eventId } = seller;
        await newLink(seller, 'poster');
        await newPromoCode(seller, promoForm('SPRING'));
        const codes: string[] = [];
        for (const [index, one] of steps.entries()) {
          const email = `buyer-${index}@example.com`;
          const pick = <Item>(items: readonly Item[]) =>
            'at' in one ? items[one.at % Math.max(1, items.length)] : undefined;
          if (one.do === 'sell') {
            const items = [{ ticketName: 'Floor', quantity: one.quantity }];
            if (one.shirts > 0) items.push({ ticketName: 'Shirt', quantity: one.shirts });
            codes.push(...(await buy(seller, { items, email, from: one.from, promoCode: one.promoCode })));
          }
          if (one.do === 'take-free')
            codes.push(
              ...codesOf(await takeFreeTickets(app, eventId, [{ ticketName: 'Free', quantity: 1 }], { email })),
            );
          if (one.do === 'comp') expectOk(await addGuests(seller, [{ email, quantity: one.quantity }]));
          if (one.do === 'refund') await app.call(requestRefund, { eventId, confirmationCode: pick(codes) ?? '' });
          if (one.do === 'refund-amount') {
            const payment = pick(await stripeObjectsOf(app, 'payment_intent', eventId));
            // Stripe rejects more than is left of the payment.
            if (payment)
              await stripeOf(app)
                .refunds.create({ payment_intent: payment.id, amount: one.cents })
                .catch(() => null);
          }
          if (one.do === 'lose-dispute') {
            await app.settle();
            const payments = await stripeObjectsOf(app, 'payment_intent', eventId);
            const which = payments.length > 0 ? one.at % payments.length : -1;
            const dispute = which >= 0 && (await disputePayment(app, eventId, { which }).catch(() => null));
            if (dispute) await decideDispute(app, dispute, 'lost');
          }
          if (one.do === 'wait') {
            await app.advance({ hours: one.hours });
            await logInAgain(seller);
          }
          await app.settle();
        }
        await app.advance({ hours: 1 });
        await app.settle();
        await logInAgain(seller);
        await expectAgreement(seller);
      }),
      { numRuns: 6 },
    );
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  async function expectAgreement(seller: Seller): Promise<void> {
    const { eventId, visitor } = seller;
    const sales = await salesOf(seller);
    const { totals, underWay, days, whole, period } = sales;
    const overview = expectOk(await visitor.call(eventOverview, { eventId }));
    const ledger = await ledgerTotals(app.db, eventId);
    const { sold, gross } = overview.types.reduce(
      (sum, type) => ({ sold: sum.sold + type.sold, gross: sum.gross + Math.round((type.gross ?? 0) * 100) }),
      { sold: 0, gross: 0 },
    );

    expect(period).toEqual(whole);
    expect({ sold: totals.grossCents, reversed: totals.refundedCents }).toEqual(ledger);
    expect(totals.tickets - totals.refundedTickets - underWay.tickets).toBe(sold);
    // Amounts that were refunded at Stripe, or lost, leave the tickets that they are part of.
    const partly = totals.grossCents - totals.refundedCents - underWay.cents - gross;
    const { event } = expectOk(await visitor.call(eventMoney, { eventId }));
    const { statement } = event.payout;
    expect(Math.round((statement?.gross ?? 0) * 100)).toBe(gross);
    expect(partly).toBe(await voidedOverReversed(eventId));

    expect(sumOf(days)).toEqual(totals);
    const key = await newApiKey(visitor);
    const rows = await fileOf(seller, 'sales');
    const sumIn = (own: Record<string, string>[], column: string) =>
      own.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0);
    const figuresIn = (own: Record<string, string>[]) => ({
      tickets: sumIn(own, 'Tickets') / 100,
      grossCents: sumIn(own, 'Gross in US dollars'),
      discountCents: sumIn(own, 'Discounts in US dollars'),
      refundedTickets: sumIn(own, 'Refunded tickets') / 100,
      refundedCents: sumIn(own, 'Refunds in US dollars'),
    });
    expect(figuresIn(rows)).toEqual(totals);
    for (const { day, ...figures } of days)
      expect(figuresIn(rows.filter((row) => row['Day'] === day))).toEqual(figures);

    const COLUMNS = { type: 'Ticket type', channel: 'Channel', link: 'Link', code: 'Promo code' } as const;
    const IN_API = { type: 'ticket_type', channel: 'channel', link: 'link', code: 'promo_code' } as const;
    for (const split of salesSplits) {
      const { parts } = await salesOf(seller, { split });
      expect(sumOf(parts)).toEqual(totals);
      const { body } = await callV1(app, key, salesReport, { event_id: eventId, split: IN_API[split] });
      expect(body['totals']).toEqual(inApi(totals));
      for (const { id, name, ...figures } of parts) {
        const named = rows.filter((row) => row[COLUMNS[split]] === (id === null ? '' : name));
        expect({ name, ...figuresIn(named) }).toEqual({ name, ...figures });
        const own = body.data.filter((row) => JSON.stringify(row['part']) === JSON.stringify({ id, name }));
        expect(own.reduce((sum, row) => sum + Number(row['gross_cents']), 0)).toBe(figures.grossCents);
      }
    }
    const { body } = await callV1(app, key, salesReport, { event_id: eventId });
    const shown = days.filter((day) => day.tickets + day.refundedTickets + day.refundedCents > 0);
    expect(body.data).toEqual(shown.map(({ day, ...figures }) => ({ day, part: null, ...inApi(figures) })));
  }

  const inApi = (figures: ReturnType<typeof sumOf>) => ({
    tickets: figures.tickets,
    gross_cents: figures.grossCents,
    discount_cents: figures.discountCents,
    refunded_tickets: figures.refundedTickets,
    refunded_cents: figures.refundedCents,
  });

  it('has every ticket once over both clock changes, in the event’s time zone [REPORT-1]', async () => {
    const seller = await onSale(30);
    await sellAt(app.db, seller.eventId, aroundClockChanges);

    const { days, totals, whole } = await salesOf(seller);

    expect(totals).toMatchObject({ tickets: 7, grossCents: 7 * 24_35 });
    expect(days.filter(({ tickets }) => tickets > 0).map(({ day, tickets }) => [day, tickets])).toEqual([
      ['2026-03-07', 1],
      ['2026-03-08', 2],
      ['2026-03-09', 1],
      ['2026-11-01', 2],
      ['2026-11-02', 1],
    ]);
    expect(days.every(({ day }, index) => index === 0 || day === addDays(days[index - 1]?.day ?? '', 1))).toBe(true);
    expect(whole.from).toBe('2026-03-07');
    const november = await salesOf(seller, { from: '2026-11-01', until: '2026-11-01' });
    expect([november.totals.tickets, november.days.length]).toEqual([2, 1]);
  });

  it('says that nothing is sold, and is denied nonsense', async () => {
    const seller = await onSale(30);
    const { eventId, visitor } = seller;

    expect(await salesOf(seller)).toMatchObject({ hasSales: false, totals: { tickets: 0 }, parts: [] });
    for (const period of [{ from: '2026-02-30' }, { until: 'today' }, { from: '2026-02-02', until: '2026-02-01' }])
      expect(await visitor.call(eventSales, { eventId, ...period })).toMatchObject({
        status: 400,
        body: { code: 'form.invalid' },
      });
  });
});

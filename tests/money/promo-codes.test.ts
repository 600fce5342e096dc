/** Whatever is in the cart and whatever a code does to it: every place shows the same amounts. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { applyPromoCode } from '#contract/app/sales/promo-codes.ts';
import { payoutStatement } from '#domain/payout-statement.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { movementsAtStripe, stripeObjectsOf, stripeOf } from '#tests/support/money.ts';
import { codesOf, emailsTo, eventOnSale, expectOk, pay, proveAddress } from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { STANDARD_TERMS } from '#tests/support/standard-terms.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { cartLines } from '#web/event-page/cart/cart.ts';
import { centsWith, ticketsWith } from '#web/event-page/promo/promo-prices.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const RUNS = 15;

const anyPrice = fc.oneof(
  fc.constantFrom(0, 0.5, 0.76, 0.77, 1, 15.99, 19.99),
  fc.integer({ min: 50, max: 200_00 }).map((cents) => cents / 100),
);
const anyOrder = fc.record({
  types: fc.array(fc.record({ price: anyPrice, quantity: fc.integer({ min: 1, max: 4 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  terms: fc.oneof(
    fc.integer({ min: 1, max: 100 }).map((value) => ({ kind: 'percent' as const, value })),
    fc.integer({ min: 1, max: 40_00 }).map((cents) => ({ kind: 'amount' as const, value: cents / 100 })),
    fc.integer({ min: 50, max: 40_00 }).map((cents) => ({ kind: 'fixed' as const, value: cents / 100 })),
  ),
  maxUses: fc.option(fc.integer({ min: 1, max: 6 }), { nil: '' as const }),
  isLarge: fc.boolean(),
});

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

it('page, session, charge, email, tickets, refund and statement agree about any order with a code [PRICE-2 PROMO-2]', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(anyOrder, async ({ types, terms, maxUses, isLarge }) => {
      run += 1;
      const email = `buyer-${run}@example.com`;
      // A code that can discount nothing, or more than any ticket costs, is denied.
      const highest = Math.max(...types.map(({ price }) => price));
      fc.pre(highest > 0 && (terms.kind !== 'amount' || terms.value <= highest));
      const event = await eventOnSale(app, {
        tickets: types.map(({ price }, index) => ({
          ticketName: `Type ${index}`,
          ticketDescription: 'A ticket',
          ticketPrice: price,
          ticketQuantity: 50,
        })),
      });
      const { eventId } = event;
      const feeTerms = { ...STANDARD_TERMS, largeFrom: isLarge ? 1 : STANDARD_TERMS.largeFrom };
      await sql`update events set fee_terms = ${JSON.stringify(feeTerms)} where id = ${eventId}`.execute(app.db);
      await newPromoCode(event, promoForm('SPRING', { ...terms, maxUses }));

      const cart = types.map(({ quantity }, index) => ({ ticketName: `Type ${index}`, quantity }));
      const shown = await app.call(publicEvent, { eventId });
      if (!('tickets' in shown.body)) throw new Error('the event does not sell');
      const applied = await app.call(applyPromoCode, { eventId, code: 'SPRING' });
      // A code that changes nothing is not valid.
      if (applied.status !== 200) return;
      const onPage = sum(centsWith(cartLines(cart, ticketsWith(shown.body.tickets, applied.body)), applied.body));
      fc.pre(onPage === 0 || onPage >= 50);

      const buyer = app.visitor();
      const order = { eventId, cartItems: cart, promoCode: 'SPRING', expectedTotalCents: onPage };
      const page = expectOk(await buyer.call(createCheckoutSession, order));
      expect(page.quote).toBeUndefined();
      const confirmed = await (onPage === 0 ? proveAddress(app, buyer, { handle: page.id, email }) : payAt(page));
      const amount = onPage === 0 ? 0 : (await stripeOf(app).checkout.sessions.retrieve(page.id)).amount_total;
      async function payAt({ id: sessionId, url }: { id: string; url: string }) {
        await pay(buyer, url, email);
        return expectOk(await buyer.call(checkoutSession, { sessionId }));
      }
      const tickets = await app.db
        .selectFrom('tickets')
        .where('eventId', '=', eventId)
        .select(['confirmationNumber', 'ticketName', 'priceCents'])
        .execute();
      const [sent] = await emailsTo(app, email);
      const inEmail = [...(sent?.text ?? '').matchAll(/^Price: (?:Free|\$([\d,.]+))/gm)].map(([, dollars = '0']) =>
        Math.round(Number(dollars.replace(',', '')) * 100),
      );
      const charges = await stripeObjectsOf(app, 'charge', eventId);
      expect([amount, sum(tickets.map(({ priceCents }) => priceCents)), sum(inEmail)]).toEqual([
        onPage,
        onPage,
        onPage,
      ]);
      expect(charges.map(({ amount }) => amount)).toEqual(onPage === 0 ? [] : [onPage]);

      const listCentsOf = (name: string) => Math.round((types[Number(name.split(' ')[1])]?.price ?? 0) * 100);
      const [code = ''] = codesOf(confirmed);
      const price = tickets.find(({ confirmationNumber }) => confirmationNumber === code)?.priceCents ?? 0;
      expectOk(await app.call(requestRefund, { eventId, confirmationCode: code }));
      const refunds = await movementsAtStripe(app, 'refund', eventId);
      expect(refunds.map(({ amount }) => amount)).toEqual(price === 0 ? [] : [price]);

      const rest = tickets.filter(({ confirmationNumber }) => confirmationNumber !== code);
      const owed = payoutStatement(
        rest.map(({ priceCents }) => priceCents),
        false,
        { terms: feeTerms },
      );
      const { body } = await event.visitor.call(profile, {});
      const stated = body.events.find(({ eventId: id }) => id === eventId)?.payout.statement;
      expect(stated).toMatchObject({
        gross: owed.grossCents / 100,
        ticketFees: owed.ticketFeesCents / 100,
        net: owed.netCents / 100,
        discounts:
          (sum(rest.map(({ ticketName }) => listCentsOf(ticketName))) - sum(rest.map((one) => one.priceCents))) / 100,
      });
    }),
    { numRuns: RUNS },
  );
  expect(await brokenInvariants(app.db)).toEqual([]);
});

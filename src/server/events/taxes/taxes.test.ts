/** The sales tax that prices include: on receipts, in reports and for programs. */
import { beforeAll, describe, expect, it } from 'vitest';
import { editEventTax, eventTax } from '#contract/app/records/event-tax.ts';
import { duplicateEvent } from '#contract/app/sales/event-life.ts';
import { listEvents } from '#contract/v1/events.ts';
import { listOrders } from '#contract/v1/orders.ts';
import { taxOf } from '#domain/taxes/included-tax.ts';
import { journalFile as journal } from '#messages/records/journal-file.ts';
import { newId } from '#server/platform/ids.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { newConfirmationNumber } from '#tests/support/confirmation-number.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { inboxOf } from '#tests/support/inbox-of.ts';
import { checkJournal, journalOf } from '#tests/support/journal.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
let seller: Awaited<ReturnType<typeof eventOnSale>>;
withTestApp((opened) => {
  app = opened;
});
beforeAll(async () => {
  seller = await eventOnSale(app);
});

const setTax = async (percent: string, label = '', { visitor, eventId } = seller) =>
  visitor.call(editEventTax, { eventId, percent, label });

const sharesOf = async ({ visitor, eventId } = seller) => expectOk(await visitor.call(eventTax, { eventId })).shares;

describe('A sales tax in prices', () => {
  it('is on the receipt and in the email, and changes no price [TAX-1]', async () => {
    const before = await buyTickets(app, seller.eventId, generalAdmission(1), 'early@example.com');
    expectOk(await setTax('8.875', 'NYC sales tax'));
    const order = await buyTickets(app, seller.eventId, generalAdmission(2), 'taxed@example.com');

    expect(before.details).not.toHaveProperty('includedTax');
    expect(order.details).toMatchObject({
      totalCents: 48_00,
      includedTax: { rate: 8_875, label: 'NYC sales tax', cents: 3_92 },
    });
    await app.settle();
    const [email] = await inboxOf(app.db, 'taxed@example.com');
    expect(email?.text).toContain('Includes NYC sales tax, 8.875%: $3.92');
    expect(await sharesOf()).toMatchObject([{ rate: 8_875, tickets: 2, grossCents: 48_00, taxCents: 3_92 }]);
  });

  it('binds later orders only [TAX-1]', async () => {
    await app.advance({ minutes: 1 });
    expectOk(await setTax('10%'));
    const order = await buyTickets(app, seller.eventId, generalAdmission(1));
    await app.advance({ minutes: 1 });
    expectOk(await setTax(' '));
    const untaxed = await buyTickets(app, seller.eventId, generalAdmission(1));

    expect(order.details?.includedTax).toEqual({ rate: 10_000, label: 'Sales tax', cents: 2_18 });
    expect(untaxed.details).not.toHaveProperty('includedTax');
    const { tax, shares } = expectOk(await seller.visitor.call(eventTax, { eventId: seller.eventId }));
    expect(tax).toBeNull();
    expect(shares.map(({ label, taxCents }) => [label, taxCents])).toEqual([
      ['Sales tax', 2_18],
      ['NYC sales tax', 3_92],
    ]);
  });

  it('goes with a copy of the event [TAX-1]', async () => {
    const { visitor, eventId } = seller;
    expectOk(await setTax('4', 'VAT'));
    const copy = expectOk(await visitor.call(duplicateEvent, { eventId, duplicateId: newId() }));

    const { tax } = expectOk(await visitor.call(eventTax, { eventId: copy.eventId }));

    expect(tax).toEqual({ rate: 4_000, label: 'VAT' });
  });

  it.each([
    ['30.001', 'percent', 'tax-percent.invalid'],
    ['-1', 'percent', 'tax-percent.invalid'],
    ['8.8755', 'percent', 'tax-percent.invalid'],
    ['eight', 'percent', 'tax-percent.invalid'],
  ])('of %s percent is refused [TAX-1]', async (percent, field, reason) => {
    expect((await setTax(percent)).body).toMatchObject({ params: { field, reason } });
  });

  it('has a name that fits on a receipt [TAX-1]', async () => {
    expect((await setTax('5', 'x'.repeat(41))).body).toMatchObject({ params: { reason: 'tax-label.too-long' } });
  });

  it('is for its own organization only', async () => {
    const other = await eventOnSale(app);
    const foreign = { visitor: other.visitor, eventId: seller.eventId };

    expect((await setTax('5', '', { ...seller, ...foreign })).body).toEqual(errorBody('event.not-found'));
    expect((await other.visitor.call(eventTax, { eventId: seller.eventId })).body).toEqual(
      errorBody('event.not-found'),
    );
  });

  it('agrees to the cent between orders, report and journal, over 1,000 random orders [TAX-1]', async () => {
    const event = await eventOnSale(app);
    const { eventId, visitor } = event;
    const before = app.now();
    expectOk(await setTax('8.875', '', event));
    const orders = await plantOrders(eventId, before, 1000);
    const taxed = orders.filter(({ isTaxed }) => isTaxed);
    const expected = taxOf(taxed, { rate: 8_875 });

    const [share] = await sharesOf(event);
    const file = await journalOf(event);
    const key = await newApiKey(visitor);
    let listed = 0;
    for (let after: string | null = null, isLast = false; !isLast; isLast = after === null) {
      const fields: Record<string, string> = { event_id: eventId, limit: '100', ...(after !== null && { after }) };
      const { body } = await callV1(app, key, listOrders, fields);
      listed += body.data.reduce((sum, order) => sum + Number(order['tax_cents']), 0);
      after = body.next_cursor;
    }

    expect(share).toMatchObject({
      tickets: taxed.reduce((sum, { quantity }) => sum + quantity, 0),
      grossCents: taxed.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0),
      taxCents: expected,
    });
    expect(listed).toBe(expected);
    expect(file.footer.filter(({ record }) => record === journal.records.tax)).toMatchObject([
      { kind: 'Sales tax 8.875%', cents: -expected, value: String(share?.tickets) },
    ]);
    expect((await checkJournal(file.text)).code).toBe(0);
    const { body } = await callV1(app, key, listEvents);
    expect(body.data.find(({ id }) => id === eventId)?.['tax']).toEqual({ name: 'Sales tax', rate: 8_875 });
  });
});

/** Paid orders of one line each, the half of them from before the tax. */
async function plantOrders(eventId: string, before: Date, count: number) {
  const { id: ticketTypeId } = await app.db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .select('id')
    .executeTakeFirstOrThrow();
  const { since } = await app.db
    .selectFrom('eventTaxes')
    .where('eventId', '=', eventId)
    .select('since')
    .executeTakeFirstOrThrow();
  const planted = Array.from({ length: count }, (_, index) => {
    const isTaxed = index % 2 === 0;
    const createdAt = new Date(isTaxed ? since.getTime() + index : before.getTime() - 1 - index);
    const unitPriceCents = 50 + Math.floor(Math.random() * 50_000);
    return { id: newId(), lineId: newId(), isTaxed, createdAt, unitPriceCents, quantity: 1 + (index % 4) };
  });
  const type = { eventId, ticketTypeId, ticketName: 'General admission' };
  await app.db
    .insertInto('orders')
    .values(
      planted.map(({ id, createdAt, unitPriceCents, quantity }) => ({
        eventId,
        id,
        state: 'paid' as const,
        totalCents: quantity * unitPriceCents,
        reservationExpiresAt: createdAt,
        sessionId: `cs_${id}`,
        paymentId: `pi_${id}`,
        buyerEmail: 'sam@example.com',
        createdAt,
        paidAt: createdAt,
      })),
    )
    .execute();
  await app.db
    .insertInto('orderLines')
    .values(
      planted.map(({ id, lineId, unitPriceCents, quantity }) => ({
        ...type,
        orderId: id,
        id: lineId,
        position: 1,
        listPriceCents: unitPriceCents,
        unitPriceCents,
        quantity,
      })),
    )
    .execute();
  await app.db
    .insertInto('tickets')
    .values(
      planted.flatMap(({ id, lineId, createdAt, unitPriceCents, quantity }) =>
        Array.from({ length: quantity }, () => ({
          ...type,
          id: newId(),
          orderId: id,
          orderLineId: lineId,
          confirmationNumber: newConfirmationNumber(),
          priceCents: unitPriceCents,
          issuedAt: createdAt,
        })),
      ),
    )
    .execute();
  return planted;
}

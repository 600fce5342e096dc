/** The names of guests on an order's page, and what its buyer may change. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOrder, resendOrder } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { nameTickets } from '#contract/app/sales/order-names.ts';
import type { NameRule } from '#domain/sales/guest-form.ts';
import { askBuyers, buyWithDetails } from '#tests/support/guest-forms.ts';
import { advanceTo } from '#tests/support/money.ts';
import { buyTickets, emailsTo, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

let buyers = 0;

async function namedOrder(asksNames: NameRule, seller?: Awaited<ReturnType<typeof eventOnSale>>) {
  const event = seller ?? (await eventOnSale(app));
  await askBuyers(event, { asksNames });
  const email = `named-${++buyers}@example.com`;
  const { details } = await buyWithDetails(
    app,
    event.eventId,
    { tickets: [{ name: 'Sofia' }, { name: 'Omar' }] },
    { email, cartItems: generalAdmission(2) },
  );
  const token = details?.token ?? '';
  return {
    ...event,
    email,
    token,
    namesUntil: details?.namesUntil,
    rename: (position: number, name: string) => app.call(nameTickets, { token, names: [{ position, name }] }),
    names: async () =>
      expectOk(await app.call(readOrder, { token })).confirmationData.map(({ guestName }) => guestName),
  };
}

describe('the names of an order', () => {
  it('are on its page and in its emails, and are changed there [FORM-6 FORM-7]', async () => {
    const order = await namedOrder('required');
    expect(await order.names()).toEqual(['Sofia', 'Omar']);

    expectOk(await order.rename(2, '  Ana\u202e María '));
    expect(await order.names()).toEqual(['Sofia', 'Ana María']);
    expectOk(await app.call(resendOrder, { token: order.token }));
    const [message] = await emailsTo(app, order.email);
    expect(message?.text).toContain('Name: Ana María');
    expect(message?.text).not.toContain('Omar');
  });

  it('can be left out where they are optional, and not where they are required', async () => {
    const [required, optional] = [await namedOrder('required'), await namedOrder('optional')];
    expect(await required.rename(1, ' ')).toMatchObject({
      status: 400,
      body: { params: { field: 'tickets.0.name', reason: 'guest-name.missing' } },
    });
    expectOk(await optional.rename(1, ''));
    expect(await optional.names()).toEqual([undefined, 'Omar']);
    expect(await required.names()).toEqual(['Sofia', 'Omar']);
  });

  it('of two tickets are changed both or not at all', async () => {
    const order = await namedOrder('required');
    const names = [
      { position: 1, name: 'Ana' },
      { position: 3, name: 'Bo' },
    ];
    expect(await app.call(nameTickets, { token: order.token, names })).toMatchObject({
      status: 404,
      body: { code: 'names.unknown-ticket' },
    });
    expect(await order.names()).toEqual(['Sofia', 'Omar']);
  });

  it('can be changed until check-in opens, and without hours until the start [FORM-7]', async () => {
    const seller = await eventOnSale(app);
    const { startsAt } = await app.db
      .selectFrom('events')
      .where('id', '=', seller.eventId)
      .select('startsAt')
      .executeTakeFirstOrThrow();
    const opensAt = new Date(startsAt.getTime() - 60 * 60 * 1000);
    const open = await namedOrder('required', seller);
    expect(open.namesUntil).toBe(startsAt.toISOString());
    await app.db
      .updateTable('events')
      .set({ checkInOpensAt: opensAt, checkInClosesAt: startsAt })
      .where('id', '=', seller.eventId)
      .execute();
    await advanceTo(app, new Date(opensAt.getTime() - 60_000));
    expectOk(await open.rename(1, 'Bo'));
    await advanceTo(app, new Date(opensAt.getTime() + 1000));
    expect(await open.rename(1, 'Late')).toMatchObject({ status: 409, body: { code: 'names.closed' } });
    const { details } = expectOk(await app.call(readOrder, { token: open.token }));
    expect(details?.namesUntil).toBeUndefined();
  });

  it('stay as they are once the event is cancelled', async () => {
    const order = await namedOrder('required');
    expectOk(await order.visitor.call(cancelEvent, { eventId: order.eventId }));
    expect(await order.rename(1, 'Bo')).toMatchObject({ body: { code: 'names.closed' } });
  });

  it('are changed only with the link of an order that was asked for them', async () => {
    const event = await eventOnSale(app);
    const { details } = await buyTickets(app, event.eventId, generalAdmission(1));
    await askBuyers(event, { asksNames: 'required' });
    const names = [{ position: 1, name: 'Bo' }];
    expect(await app.call(nameTickets, { token: details?.token ?? '', names })).toMatchObject({
      status: 409,
      body: { code: 'names.not-asked' },
    });
    expect(await app.call(nameTickets, { token: `${details?.token}x`, names })).toMatchObject({
      status: 404,
      body: { code: 'checkout.unknown' },
    });
  });
});

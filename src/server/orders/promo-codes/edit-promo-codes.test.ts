import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { editTickets, eventTickets, publicEvent } from '#contract/app/events.ts';
import { addPromoCode, editPromoCode, endPromoCode, promoCodes } from '#contract/app/sales/promo-codes.ts';
import { PROMO_CODES_MAX } from '#domain/limits.ts';
import { newId } from '#server/platform/ids.ts';
import { eventOnSale, expectOk, generalAdmission, pay } from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const freeType = { ticketDescription: 'A ticket', ticketQuantity: 10 };

let shared: Promise<Event> | undefined;
/** For forms that are denied. */
const anyEvent = () => (shared ??= eventOnSale(app));

const add = async (event: Event, form: object) => event.visitor.send(addPromoCode, { eventId: event.eventId, ...form });
const list = async ({ visitor, eventId }: Event) => expectOk(await visitor.call(promoCodes, { eventId })).promoCodes;

async function typeIdsOf({ eventId }: Event): Promise<string[]> {
  const types = app.db.selectFrom('ticketTypes').where('eventId', '=', eventId);
  return (await types.select('id').orderBy('position').execute()).map(({ id }) => id);
}

const useOnce = ({ eventId }: Event, promoCode = 'SPRING') =>
  app.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1), promoCode });

describe('the promo codes of an event', () => {
  it('are added, edited and ended, and keep what they are asked to [PROMO-1 PROMO-3]', async () => {
    const event = await eventOnSale(app);
    const [general = ''] = await typeIdsOf(event);
    const form = promoForm(' early-bird ', {
      kind: 'amount',
      value: '$5',
      ticketIds: [general],
      maxUses: '30',
      maxPerOrder: 4,
      validFrom: '2026-05-02T09:00',
    });
    expectOk(await add(event, form));
    expect(await list(event)).toMatchObject([
      {
        code: 'EARLY-BIRD',
        kind: 'amount',
        value: 5,
        ticketIds: [general],
        maxUses: 30,
        uses: 0,
        maxPerOrder: 4,
        validFrom: '2026-05-02T13:00:00.000Z',
        validUntil: null,
        isEnded: false,
        discountGiven: 0,
      },
    ]);

    const promoCodeId = (await list(event))[0]?.promoCodeId ?? '';
    const edit = { eventId: event.eventId, promoCodeId, ...promoForm('EARLY', { value: 15 }) };
    expectOk(await event.visitor.call(editPromoCode, edit));
    expect(await list(event)).toMatchObject([
      { code: 'EARLY', kind: 'percent', value: 15, ticketIds: null, maxUses: null, maxPerOrder: null, validFrom: null },
    ]);

    expectOk(await event.visitor.call(endPromoCode, { eventId: event.eventId, promoCodeId }));
    expect(await list(event)).toMatchObject([{ isEnded: true }]);
    const ended = { status: 409, body: { code: 'promo.ended' } };
    expect(await event.visitor.call(editPromoCode, edit)).toMatchObject(ended);
    // Its name is free again.
    expectOk(await add(event, promoForm('EARLY')));
  });

  it('say what they gave away, without refunded tickets [PROMO-1]', async () => {
    const event = await eventOnSale(app);
    await newPromoCode(event, promoForm('SPRING', { kind: 'amount', value: 4 }));
    const order = { eventId: event.eventId, cartItems: generalAdmission(3), promoCode: 'SPRING' };
    const buyer = app.visitor();
    const { url } = expectOk(await buyer.call(createCheckoutSession, order));
    expect(await list(event)).toMatchObject([{ uses: 3, discountGiven: 0 }]);
    await pay(buyer, url, 'given@example.com');
    await expect.poll(async () => (await list(event))[0]?.discountGiven).toBe(12);
  });

  it('tell the event page that there is one to enter, as long as there is [PROMO-7]', async () => {
    const event = await eventOnSale(app);
    const isOffered = async () => {
      await app.deps.changes.catchUp();
      const { body } = await app.call(publicEvent, event);
      return 'hasPromoCodes' in body && body.hasPromoCodes;
    };
    expect(await isOffered()).toBe(false);
    const promoCodeId = await newPromoCode(event, promoForm('SPRING'));
    expect(await isOffered()).toBe(true);
    expectOk(await event.visitor.call(endPromoCode, { eventId: event.eventId, promoCodeId }));
    expect(await isOffered()).toBe(false);
  });

  it('keep their value once they are used; their limit can change, but not below their uses [PROMO-6]', async () => {
    const event = await eventOnSale(app);
    const promoCodeId = await newPromoCode(event, promoForm('SPRING', { maxUses: 5 }));
    const edit = (change: Parameters<typeof promoForm>[1]) =>
      event.visitor.call(editPromoCode, { eventId: event.eventId, promoCodeId, ...promoForm('SPRING', change) });
    expectOk(await edit({ value: 25, maxUses: 5 }));
    for (const _ of [1, 2]) expectOk(await useOnce(event));

    const used = { status: 409, body: { code: 'promo.already-used' } };
    expect(await edit({ value: 30, maxUses: 5 })).toMatchObject(used);
    expect(await edit({ value: 25, kind: 'amount' })).toMatchObject(used);
    expect(await edit({ value: 25, ticketIds: await typeIdsOf(event) })).toMatchObject(used);
    const below = { status: 409, body: { code: 'promo.below-uses', params: { uses: 2 } } };
    expect(await edit({ value: 25, maxUses: 1 })).toMatchObject(below);
    expectOk(await edit({ value: 25, maxUses: 2 }));
    expect(expectOk(await useOnce(event)).quote).toMatchObject({ totalCents: 24_00 });
  });

  it("can't change their value in the database either, once they are used [PROMO-6]", async () => {
    const event = await eventOnSale(app);
    const id = await newPromoCode(event, promoForm('SPRING'));
    expectOk(await useOnce(event));
    const change = app.db.updateTable('promoCodes').set({ value: 100 }).where('id', '=', id).execute();
    await expect(change).rejects.toThrow(/used/);
  });

  it.each([
    [promoForm('AB'), 'code', 'promo-code.invalid'],
    [promoForm('---'), 'code', 'promo-code.invalid'],
    [promoForm('SPRING!'), 'code', 'promo-code.invalid'],
    [promoForm('A'.repeat(31)), 'code', 'promo-code.invalid'],
    [promoForm('OK1', { value: 0 }), 'value', 'promo-percent.invalid'],
    [promoForm('OK1', { value: 101 }), 'value', 'promo-percent.invalid'],
    [promoForm('OK1', { value: '12.5' }), 'value', 'promo-percent.invalid'],
    [promoForm('OK1', { kind: 'amount', value: 0 }), 'value', 'promo-amount.invalid'],
    [promoForm('OK1', { kind: 'fixed', value: 0.25 }), 'value', 'promo-fixed.invalid'],
    [promoForm('OK1', { maxUses: 0 }), 'maxUses', 'promo-max-uses.invalid'],
    [promoForm('OK1', { maxPerOrder: 101 }), 'maxPerOrder', 'promo-max-per-order.invalid'],
    [promoForm('OK1', { validFrom: '2027-03-14T02:30' }), 'validFrom', 'promo-from.skipped-hour'],
    [
      promoForm('OK1', { validFrom: '2027-03-15T02:30', validUntil: '2027-03-15T02:30' }),
      'validUntil',
      'promo-until.too-early',
    ],
    [promoForm('OK1', { validUntil: 'soon' }), 'validUntil', 'promo-until.malformed'],
  ])('are denied as %j', async (form, field, reason) => {
    const params = { field, reason };
    expect(await add(await anyEvent(), form)).toMatchObject({ status: 400, body: { code: 'form.invalid', params } });
  });

  it('are denied with types of another event, and with more off than any ticket costs', async () => {
    const event = await anyEvent();
    const denied = (code: string) => ({ status: 400, body: { code } });
    expect(await add(event, promoForm('OK1', { ticketIds: [newId()] }))).toMatchObject(denied('promo.unknown-type'));
    const tooMuch = promoForm('OK1', { kind: 'amount', value: 38.51 });
    expect(await add(event, tooMuch)).toMatchObject(denied('promo.amount-too-high'));
    expectOk(await add(event, promoForm('OK1', { kind: 'amount', value: 38.5 })));
  });

  it('are denied when they could change nothing', async () => {
    const event = await eventOnSale(app, { tickets: [{ ...freeType, ticketName: 'Free', ticketPrice: 0 }] });
    const denied = (code: string) => ({ status: 400, body: { code } });
    expect(await add(event, promoForm('OK1'))).toMatchObject(denied('promo.nothing-to-discount'));
    const unlock = promoForm('OK1', { kind: 'unlock', value: '' });
    expect(await add(event, unlock)).toMatchObject(denied('promo.nothing-hidden'));
  });

  it('can be prolonged once they are used, also when a type or a price is gone [PROMO-6]', async () => {
    const event = await eventOnSale(app);
    const [general = '', balcony = ''] = await typeIdsOf(event);
    const form = promoForm('SPRING', { kind: 'amount', value: 20, ticketIds: [general, balcony] });
    const promoCodeId = await newPromoCode(event, form);
    expectOk(await useOnce(event));
    const { tickets } = expectOk(await event.visitor.call(eventTickets, { eventId: event.eventId }));
    const cheaper = tickets.slice(0, 1).map((row) => ({ ...row, ticketPrice: 10 }));
    expectOk(await event.visitor.call(editTickets, { eventId: event.eventId, tickets: cheaper }));

    const edit = { eventId: event.eventId, promoCodeId, ...form, validUntil: '2099-01-01T00:00' };
    expectOk(await event.visitor.call(editPromoCode, edit));
    expect(await list(event)).toMatchObject([{ validUntil: '2099-01-01T05:00:00.000Z' }]);
  });

  it('differ in what buyers may type for them, and are at most 200 at a time', async () => {
    const event = await eventOnSale(app);
    expectOk(await add(event, promoForm('SPR1NG-0')));
    expect(await add(event, promoForm('SPRINGO'))).toMatchObject({ status: 409, body: { code: 'promo.code-taken' } });

    const terms = { kind: 'percent' as const, value: 500, isForAll: true, maxUses: null, maxPerOrder: null };
    const codes = Array.from({ length: PROMO_CODES_MAX - 1 }, (_, index) => `CODE${index}`);
    const rows = codes.map((code) => ({
      eventId: event.eventId,
      id: newId(),
      code,
      key: code,
      ...terms,
      createdAt: app.now(),
    }));
    await app.db.insertInto('promoCodes').values(rows).execute();
    const tooMany = { status: 409, body: { code: 'promo.too-many', params: { max: PROMO_CODES_MAX } } };
    expect(await add(event, promoForm('ONE-MORE'))).toMatchObject(tooMany);
  });

  it('of another organizer are not found', async () => {
    const event = await eventOnSale(app);
    const promoCodeId = await newPromoCode(event, promoForm('SPRING'));
    const { visitor } = await eventOnSale(app);
    const { eventId } = event;
    const denied = { status: 404, body: { code: 'event.not-found' } };
    expect(await visitor.call(promoCodes, { eventId })).toMatchObject(denied);
    expect(await visitor.call(endPromoCode, { eventId, promoCodeId })).toMatchObject(denied);
    const unknown = { status: 404, body: { code: 'promo.not-found' } };
    expect(await event.visitor.call(endPromoCode, { eventId, promoCodeId: newId() })).toMatchObject(unknown);
    expect(await event.visitor.call(endPromoCode, { eventId, promoCodeId: 'x' })).toMatchObject(unknown);
  });

  it('stop to change when the event is over', async () => {
    const event = await eventOnSale(app);
    await app.db.updateTable('events').set({ cancelledAt: app.now() }).where('id', '=', event.eventId).execute();
    expect((await add(event, promoForm('SPRING'))).status).toBe(409);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { ticketsPdf } from '#contract/app/sales/ticket-files.ts';
import { addressLine, longDate } from '#messages/format.ts';
import { ticketFile } from '#messages/sales/ticket-files.ts';
import { erasedAddress } from '#server/platform/erased-address.ts';
import { decideDispute, disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { askBuyers, buyWithDetails } from '#tests/support/guest-forms.ts';
import { hostile, hostileEvent } from '#tests/support/hostile-text.ts';
import { buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import { readQr } from '#tests/support/read-qr.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

let buyers = 0;

async function sell(cart = generalAdmission(1), change: Parameters<typeof eventOnSale>[1] = {}, of = app) {
  const event = await eventOnSale(of, change);
  const order = await buyTickets(of, event.eventId, cart, `pdf-${++buyers}@example.com`);
  const token = order.details?.token ?? '';
  return { event, order, token, codes: codesOf(order) };
}

const fetchPdf = (token: string, of = app) => of.visitor().fetch(`${ticketsPdf.path}?token=${token}`);

async function pagesOf(token: string) {
  const reply = await fetchPdf(token);
  expect(reply.status).toBe(200);
  return readPdf(Buffer.from(await reply.arrayBuffer()));
}

const denial = async (reply: Response) => [reply.status, ((await reply.json()) as { code: string }).code];

/** Lines may break anywhere. */
const joined = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('the tickets of an order as a PDF', () => {
  it('have a page each, with a code that the scanner reads and the number as text; a refunded one has none [DOC-1]', async () => {
    const cart = [...generalAdmission(5), { ticketName: 'Balcony', quantity: 2 }];
    const { event, order, token, codes } = await sell(cart);
    const [, gone = ''] = codes;
    expectOk(await app.call(requestRefund, { eventId: event.eventId, confirmationCode: gone }));
    await app.settle();

    const pages = await pagesOf(token);

    const left = order.confirmationData.filter(({ confirmationNumber }) => confirmationNumber !== gone);
    expect(pages).toHaveLength(6);
    for (const [index, { confirmationNumber, position, ticketName }] of left.entries()) {
      const { text = '', image = Buffer.alloc(0) } = pages[index] ?? {};
      expect(await readQr(image)).toMatchObject([{ text: confirmationNumber, level: 'M' }]);
      expect(text.split('\n')).toEqual(
        expect.arrayContaining([confirmationNumber, `Ticket ${position} of 7`, ticketName]),
      );
      expect(text).not.toContain(gone);
    }
    expect(left.map(({ position }) => position)).toEqual([1, 3, 4, 5, 6, 7]);
  });

  it('name the guest of each ticket where the event asks [FORM-6 DOC-1]', async () => {
    const event = await eventOnSale(app);
    await askBuyers(event, { asksNames: 'required' });
    const { details } = await buyWithDetails(
      app,
      event.eventId,
      { tickets: [{ name: 'Zoë' }, { name: 'Omar' }] },
      { email: 'pdf-names@example.com', cartItems: generalAdmission(2) },
    );
    const pages = await pagesOf(details?.token ?? '');
    expect(pages.map(({ text }) => ['Zoë', 'Omar'].filter((name) => text.includes(name)))).toEqual([['Zoë'], ['Omar']]);
  });

  it('say what, when in the time zone of the event, where, and who sells, as it is now [DOC-1]', async () => {
    const { event, token } = await sell();
    await editEventOf(app, event, { title: 'Attic Strings', street: '1 Elsewhere' });
    const [{ text } = { text: '' }] = await pagesOf(token);
    const { startsAt, timezone, city, state, postalCode, organizationId } = await app.db
      .selectFrom('events')
      .where('id', '=', event.eventId)
      .selectAll()
      .executeTakeFirstOrThrow();
    const { name } = await app.db
      .selectFrom('organizations')
      .where('id', '=', organizationId)
      .select('name')
      .executeTakeFirstOrThrow();

    expect(timezone).toBe('America/New_York');
    expect(joined(text)).toContain(longDate(startsAt, timezone));
    expect(joined(text)).toContain(addressLine({ street: '1 Elsewhere', city, state, postalCode }));
    expect(text).toContain('Attic Strings');
    expect(text).toContain(ticketFile.seller(name));
    expect(text).not.toContain('Basement Brass');
  });

  it.each([
    ['Café Ünïcødé, Łódź & Hồ Chí Minh', 'Café Ünïcødé, Łódź & Hồ Chí Minh'],
    ['🎷 Jazz 👩🏽‍🎤 night 🇺🇸', 'Jazz night'],
    ['東京ナイト 2026', '????? 2026'],
    ['W'.repeat(50), 'W'.repeat(50)],
  ])('print the title %s with the letters that the typeface has [DOC-1]', async (title, printed) => {
    const { token, codes } = await sell(generalAdmission(1), { title });

    const [page] = await pagesOf(token);

    expect(page?.text.replaceAll(/\s+/g, '')).toContain(printed.replaceAll(' ', ''));
    expect(await readQr(page?.image ?? Buffer.alloc(0))).toMatchObject([{ text: codes[0] }]);
  });

  it('show markup as it was typed [DOC-1]', async () => {
    const { eventId } = await hostileEvent(app);
    const order = await buyTickets(app, eventId, [{ ticketName: hostile.ticketName, quantity: 1 }], 'h@example.com');
    const [page] = await pagesOf(order.details?.token ?? '');
    const text = page?.text.replaceAll(/\s+/g, '') ?? '';
    for (const typed of [hostile.title, hostile.street, hostile.ticketName, hostile.organizationName])
      expect(text).toContain(typed.replaceAll(' ', ''));
  });

  it('are a download named after the event, which no cache keeps [DOC-1]', async () => {
    const { token } = await sell();
    const reply = await fetchPdf(token);
    await reply.arrayBuffer();
    const { headers } = reply;
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toContain('filename="Basement Brass, tickets.pdf"');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('are denied with the reason: another link, a cancelled event, nothing left, a disputed payment [DOC-1]', async () => {
    await fillBalance(app);
    expect(await denial(await fetchPdf('no.such.link'))).toEqual([404, 'checkout.unknown']);
    const cancelled = await sell();
    expectOk(await cancelled.event.visitor.call(cancelEvent, { eventId: cancelled.event.eventId }));
    expect(await denial(await fetchPdf(cancelled.token))).toEqual([409, 'checkout.event-cancelled']);
    const refunded = await sell();
    const [confirmationCode = ''] = refunded.codes;
    expectOk(await app.call(requestRefund, { eventId: refunded.event.eventId, confirmationCode }));
    expect(await denial(await fetchPdf(refunded.token))).toEqual([409, 'order.no-tickets']);
    const disputed = await sell();
    const disputeId = await disputePayment(app, disputed.event.eventId);
    expect(await denial(await fetchPdf(disputed.token))).toEqual([409, 'order.no-tickets']);
    const init = { headers: { accept: 'text/html,*/*' } };
    const asLink = await app.visitor().fetch(`${ticketsPdf.path}?token=${cancelled.token}`, init);
    expect([asLink.status, asLink.headers.get('location')]).toEqual([303, `/order/${cancelled.token}`]);
    await decideDispute(app, disputeId, 'won');
    expect(await pagesOf(disputed.token)).toHaveLength(1);
  });

  it("name no buyer, so they are the same once the buyer's address is erased [DOC-1]", async () => {
    const { event, order, token } = await sell();
    const [before] = await pagesOf(token);
    const buyerEmail = erasedAddress('0123');
    await app.db.updateTable('orders').set({ buyerEmail }).where('eventId', '=', event.eventId).execute();
    expect(before?.text).not.toContain(order.order?.email);
    expect((await pagesOf(token))[0]?.text).toBe(before?.text);
  });

  it('can be had five times a minute, until a month after the event [DOC-1]', async () => {
    const other = await startTestApp({ rateLimitScale: 1 });
    const { token } = await sell(generalAdmission(1), {}, other);
    for (let time = 1; time <= 5; time++) {
      const reply = await fetchPdf(token, other);
      expect(reply.status).toBe(200);
      // An unread file would keep the app from closing.
      await reply.arrayBuffer();
    }
    expect(await denial(await fetchPdf(token, other))).toEqual([429, 'rate-limit.exceeded']);
    await other.advance({ days: 32 });
    expect(await denial(await fetchPdf(token, other))).toEqual([404, 'checkout.unknown']);
    await other.close();
  });
});
